"""Addresses under `/players/`."""

from django.urls import path

from casino.pace import paced
from casino.players import views

urlpatterns = [
    path("sign-up/", paced(views.sign_up), name="sign-up"),
    path("sign-in/", paced(views.SignIn.as_view()), name="sign-in"),
    path("sign-out/", views.SignOut.as_view(), name="sign-out"),
    path("profile/", views.profile, name="profile"),
    path("password/", paced(views.ChangePassword.as_view()), name="change-password"),
    # Named as Django names it, because the back office's menu of languages posts there too.
    path("language/", views.language, name="set_language"),
    path("look/", views.look, name="look"),
]
