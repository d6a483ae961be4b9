"""URLs under `/players/`."""

from django.urls import path

from casino.accounts import (
    code_pages,
    first_password,
    idle_sessions,
    own_email,
    password_reset,
    passwordless_pages,
    views,
)
from casino.web.rate_limits import limit_passwords

urlpatterns = [
    path("sign-up/", limit_passwords(views.sign_up), name="sign-up"),
    path("sign-in/", limit_passwords(views.SignIn.as_view()), name="sign-in"),
    path("sign-in/code/", limit_passwords(code_pages.sign_in_code), name="sign-in-code"),
    path("first-password/", limit_passwords(first_password.first_password), name="first-password"),
    path("forgotten/", limit_passwords(password_reset.forgotten), name="forgotten"),
    path(
        "reset/<uidb64>/<token>/",
        limit_passwords(password_reset.ResetPassword.as_view()),
        name="reset-password",
    ),
    path("email/", limit_passwords(own_email.email_page), name="own-email"),
    path("email/<str:link>/", own_email.confirm_page, name="confirm-email"),
    path(
        "sign-in/passkey/",
        limit_passwords(passwordless_pages.sign_in_by_passkey),
        name="passkey-sign-in",
    ),
    path("passkeys/", limit_passwords(passwordless_pages.passkeys_page), name="passkeys"),
    path("passkeys/add/", passwordless_pages.add_passkey_page, name="add-passkey"),
    path("passkeys/options/", passwordless_pages.passkey_options, name="passkey-options"),
    path("company/", passwordless_pages.start_at_company, name="company-start"),
    path("company/back/", passwordless_pages.back_from_company, name="company-back"),
    path(
        "company/account/", limit_passwords(passwordless_pages.company_page), name="company-account"
    ),
    path("codes/", limit_passwords(code_pages.codes_page), name="codes"),
    path("codes/set-up/", limit_passwords(code_pages.set_up), name="set-up-codes"),
    path("devices/", code_pages.devices_page, name="devices"),
    path("confirm/", limit_passwords(idle_sessions.confirm), name="confirm"),
    path("sign-out/", views.SignOut.as_view(), name="sign-out"),
    path("profile/", views.profile, name="profile"),
    path("face/", views.face_page, name="face"),
    path("password/", limit_passwords(views.ChangePassword.as_view()), name="change-password"),
    # Django's name, because the back office's language menu posts there too.
    path("language/", views.language, name="set_language"),
    path("look/", views.look, name="look"),
]
