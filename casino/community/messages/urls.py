"""URLs under `/players/`, for the inbox and the links of mails."""

from django.urls import path

from casino.community.messages import pages

urlpatterns = [
    path("messages/", pages.inbox_page, name="inbox"),
    path("messages/choose/", pages.choose, name="messages-choose"),
    path("messages/<int:number>/", pages.read_page, name="message-read"),
    path("messages/leave/<str:code>/", pages.leave, name="messages-leave"),
]
