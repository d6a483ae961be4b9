"""URLs under `/players/`, for players who want to see what they have."""

from django.urls import path

from casino.community.promotions.pages import rewards

urlpatterns = [
    path("rewards/", rewards.rewards_page, name="rewards"),
    path("rewards/level/", rewards.show_level, name="rewards-level"),
    path("rewards/hide/", rewards.hide, name="rewards-hide"),
    path("rewards/shop/<int:number>/", rewards.buy, name="rewards-shop"),
    path("rewards/invited/<str:code>/", rewards.invited, name="rewards-invited"),
    path("rewards/<int:number>/give-up/", rewards.give_up, name="rewards-give-up"),
]
