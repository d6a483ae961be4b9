"""Measurements, each beside a calibration of the same run."""
