"""Number formats where Django's differ from what players use."""
