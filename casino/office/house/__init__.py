"""What the house is called, says and looks like: in versions, checked, previewed and proposed."""
