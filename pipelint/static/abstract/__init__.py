"""What the interpreter computes with: abstract values, guards, scopes, and the state of a run."""
