"""An event and its money as they stood at an earlier moment."""
