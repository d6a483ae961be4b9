"""A figure as people read it."""

from games.profiles.figures import Figure
from games.profiles.sampling import DECISIONS, RAKE
from wallets.models import Currency
from wallets.values.amounts import show_amount


def figure_text(figure: Figure, currency: Currency) -> str:
    """A figure as people read it: a share in percent, an amount, or a number, with its error."""
    if figure.key == RAKE:
        amounts = [figure.mean] if figure.error is None else [figure.mean, figure.error]
        return " ± ".join(show_amount(round(amount), currency) for amount in amounts)
    scale, unit = (1.0, "") if figure.key == DECISIONS else (100.0, " %")
    mean = f"{scale * figure.mean:.2f}".replace("-", "\N{MINUS SIGN}")
    if figure.error is None:
        return f"{mean}{unit}"
    return f"{mean} ± {scale * figure.error:.2f}{unit}"
