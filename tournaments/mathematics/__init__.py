"""The mathematics of tournaments; it knows neither database nor site."""
