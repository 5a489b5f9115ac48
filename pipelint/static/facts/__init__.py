"""What the interpreter collects: datasets, consumers, effects, traced functions, loops."""
