"""Parent and child: who runs the user's program, and what they tell each other."""
