"""The certificates that are believed when we speak TLS to a mail server."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager


class CertificateRefused(OSError):
    """The server showed a certificate that is not believed: nothing was said to it."""


def trusted(also: str | None = None) -> ssl.SSLContext:
    """A context that trusts what the system does, and the certificates in `also` (PEM; MAIL_CA): of
    an authority of one's own, or of a server that has signed its own. Raises ssl.SSLError if there
    is none in it.

    Libraries of mail take any certificate by default.
    """
    context = ssl.create_default_context()
    if also is not None:
        # What is not ASCII can only be a remark beside them.
        context.load_verify_locations(cadata=also.encode("ascii", "replace").decode())
    return context


@contextmanager
def refusals_explained(host: str, setting: str) -> Iterator[None]:
    """Around what may greet a server: raises CertificateRefused with what an operator can do."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise CertificateRefused(
            f"the certificate of {host} is not believed: {error.verify_message}. {setting} has to "
            "name the server as its certificate does; one of your own goes into MAIL_CA"
        ) from error
