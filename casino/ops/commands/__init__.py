"""Commands that replace those of Django's own apps, because the house does more or refuses."""
