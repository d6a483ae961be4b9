"""URLs under `/players/`, for the inbox and the links of mails."""

from django.urls import path

from casino.community.messages.pages import inbox, ways_out

urlpatterns = [
    path("messages/", inbox.inbox_page, name="inbox"),
    path("messages/choose/", inbox.choose, name="messages-choose"),
    path("messages/<int:number>/", inbox.read_page, name="message-read"),
    path("messages/leave/<str:code>/", ways_out.leave, name="messages-leave"),
]
