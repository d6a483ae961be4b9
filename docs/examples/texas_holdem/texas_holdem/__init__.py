"""No-limit Texas hold'em for two to nine players, dealt by pokerkit."""

from typing import Final

from games.rules.declaration import Declaration, Group, SitAndGo, Speed, Stakes

GAMES: Final = (
    Declaration(
        key="texas_holdem",
        name="Texas hold’em",
        module="texas_holdem.game",
        struct="TexasHoldem",
        family="texas_holdem",
        group=Group("all-texas-holdem", "Hold’em", ("AsKs",)),
        bots="texas_holdem.bots",
        answers="texas_holdem.answers",
        terms={
            "before_flop": "Before the flop",
            "flop": "The flop",
            "turn": "The turn",
            "river": "The river",
        },
        options={"point": "Big blind", "rake_cap": "Most rake from a pot"},
        options_help={"rake_bp": "In percent of each pot, once the flop is dealt."},
        stakes_words="Blinds {small_blind}/{point}",
        table="Hilltop",
        stakes=Stakes({"point": 100, "rake_cap": 500}, 4_000, 20_000, 100, 20),
        sit_and_go=SitAndGo("Hilltop sit-and-go", 6, (20, 40, 80, 160, 320, 640, 1_280)),
        speed=Speed(20.0, 6.0),
    ),
)
