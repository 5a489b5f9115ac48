"""The static front end: Python source to the model, without running or importing it."""
