"""Parent and child: who runs the user's program, watches it and takes over, and what they tell each other."""
