"""What a measured pipeline could reach, and what would get it there."""
