"""A real IMAP server: Debian's Dovecot as an instance of the tests' own, on a free port."""

from __future__ import annotations

import contextlib
import getpass
import grp
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from imapclient import IMAPClient

from service.dev.embedded.lifeline import lifeline
from tests.support.certificates import Certificate
from tests.support.ports import free_port

PASSWORD = "p@ss/word"  # has to be quoted in a URL
QUOTED = "p%40ss%2Fword"


class Dovecot:
    """Any user can log in with PASSWORD and finds an empty mailbox. `separator` is that of folders,
    `prefix` what all but INBOX begin with, `without` capabilities that are not offered. With a
    `certificate` it speaks TLS as well.
    """

    def __init__(
        self,
        separator: str = "/",
        prefix: str = "",
        without: str = "",
        certificate: Certificate | None = None,
    ) -> None:
        # Dovecot's own users must be able to go in, which they may not in pytest's folders.
        self.folder = Path(tempfile.mkdtemp(prefix="dovecot-"))
        self.folder.chmod(0o755)
        self.port = free_port()
        self.secure_port = free_port() if certificate is not None else 0
        tls = "ssl = no"
        if certificate is not None:
            tls = f"ssl = yes\nssl_cert = <{certificate.file}\nssl_key = <{certificate.key}"
        config = self.folder / "dovecot.conf"
        config.write_text(self._config(separator, prefix, without, tls))
        self._command = [_dovecot(), "-F", "-c", str(config)]
        self.start()

    def url(self, user: str, scheme: str = "imap") -> str:
        """How the product reaches a mailbox."""
        port = self.secure_port if scheme == "imaps" else self.port
        return f"{scheme}://{user.replace('@', '%40')}:{QUOTED}@127.0.0.1:{port}/INBOX"

    def client(self, user: str) -> IMAPClient:
        """Somebody who looks at a mailbox."""
        client = IMAPClient("127.0.0.1", self.port, ssl=False, timeout=60)
        client.login(user, PASSWORD)
        return client

    def start(self) -> None:
        """Run it, on what was there before."""
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            preexec_fn=lifeline(),
            start_new_session=True,
        )
        until = time.monotonic() + 120
        while True:
            try:
                self.client("nobody").logout()
                return
            except (OSError, IMAPClient.Error):
                if time.monotonic() > until or self._process.poll() is not None:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def stop(self) -> None:
        """End it and all sessions, which would outlive it; the mail stays."""
        self._process.terminate()
        self._process.wait(120)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def remove(self) -> None:
        """End it for good."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _config(self, separator: str, prefix: str, without: str, tls: str) -> str:
        mail = self.folder / "mail"
        mail.mkdir()
        if os.getuid() == 0:
            # Dovecot lets nobody read mail as root; the rest runs as the package's own users.
            owner = pwd.getpwnam("mail")
            os.chown(mail, owner.pw_uid, owner.pw_gid)
            users = ""
        else:
            owner = pwd.getpwuid(os.getuid())
            me, group = getpass.getuser(), grp.getgrgid(os.getgid()).gr_name
            users = (
                f"default_internal_user = {me}\ndefault_internal_group = {group}\n"
                f"default_login_user = {me}\n"
            )
        capabilities = f"  imap_capability = {without}\n" if without else ""
        return f"""
base_dir = {self.folder}/run
state_dir = {self.folder}/state
log_path = {self.folder}/log
{users}protocols = imap
listen = 127.0.0.1
{tls}
mailbox_idle_check_interval = 1 secs
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:{mail}/%u
namespace inbox {{
  inbox = yes
  separator = {separator}
  prefix = {prefix}
}}
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={mail}/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {self.port}
  }}
  inet_listener imaps {{
    port = {self.secure_port}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
protocol imap {{
{capabilities}}}
"""


def _dovecot() -> str:
    found = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        raise RuntimeError("there is no dovecot; `make packages` installs it")
    return found
