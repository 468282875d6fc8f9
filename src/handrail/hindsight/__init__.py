"""What the past says of deciding itself: signs of fatigue, changes that would mend them, and the oversight report."""
