"""What programs do, by their names and their first words. What is not here may do anything."""

from __future__ import annotations

import re

_BY_OPERATION = {
    "read": "cd pushd popd dirs : exit sleep test [ type hash wait jobs printf less more man tput clear sw_vers",
    "delete": "rm rmdir unlink shred srm wipe wipefs truncate dropdb dropuser trash blkdiscard mkswap fdisk parted"
    " sgdisk rimraf del erase rd format remove-item mkfs mke2fs lvremove vgremove pvremove userdel deluser groupdel",
    "write": "cp mv tee touch mkdir ln install patch split csplit tar unzip zip gzip gunzip bzip2 xz zstd 7z mktemp sed"
    " sort uniq ed ex vi vim nano emacs createdb sponge mkfifo mknod rename dos2unix convert ffmpeg cpio ar ld dd"
    " copy-item move-item new-item set-content out-file add-content",
    "configure": "chmod chown chgrp chattr setfacl systemctl service iptables ip6tables nft ufw firewall-cmd crontab at"
    " batch sysctl mount umount swapon swapoff modprobe insmod rmmod ifconfig ip route hostnamectl timedatectl"
    " update-alternatives ldconfig update-rc.d chkconfig launchctl defaults netsh reg sc shutdown reboot halt poweroff"
    " init telinit setenforce export alias unset ulimit umask kill pkill killall xkill renice loginctl losetup zpool"
    " zfs btrfs set declare local readonly typeset unalias trap useradd adduser groupadd usermod addgroup groupmod",
    "grant": "sudo doas su visudo usermod useradd adduser gpasswd passwd chpasswd setcap newgrp pkexec runuser"
    " createuser htpasswd ssh-copy-id ssh-keygen ssh-add dscl setpriv capsh",
    "deploy": "ansible-playbook ansible fly flyctl vercel netlify serverless sls cdk cdktf pulumi eb cf argocd skaffold"
    " cap kamal waypoint nomad",
    "send": "nc ncat netcat telnet sendmail mail mailx mutt ftp sftp tftp socat ssh scp rsync rclone openssl s_client",
    "fetch": "curl wget aria2c axel http https xh lynx w3m links dig nslookup host ping traceroute whois git-lfs",
    "migrate": "alembic flyway liquibase dbmate goose sqitch atlas",
    "export": "pg_dump pg_dumpall mysqldump mongodump mongoexport redis-dump",
    "execute": "bash sh zsh dash ksh ash fish csh tcsh python perl ruby node nodejs php lua awk gawk mawk make cmake"
    " ninja eval source . exec java javac gcc g++ cc clang go rustc dotnet mvn gradle deno bun tsx ts-node rscript"
    " julia osascript powershell pwsh cmd expect tclsh gdb strace ltrace screen tmux at batch crontab nsenter unshare"
    " chroot env xargs parallel busybox ssh socat watch script entr psql mysql mariadb sqlite3 sqlcmd mongosh"
    " redis-cli",
}
_ALSO = {"scp": "write", "rsync": "write", "wget": "write", "rclone": "write"}

EFFECTS: dict[str, frozenset[str]] = {
    program: frozenset(operation for operation, names in _BY_OPERATION.items() if program in names.split())
    | frozenset({_ALSO[program]} if program in _ALSO else ())
    for program in dict.fromkeys(name for names in _BY_OPERATION.values() for name in names.split())
}
"""What each program does, whatever it is told; the more careful reading where it depends."""

_FIRST_WORDS: dict[str, dict[str, str]] = {
    "git": {
        "read": "status log show diff blame branch tag remote describe shortlog rev-parse ls-files ls-tree cat-file"
        " grep reflog rev-list name-rev count-objects",
        "write": "add commit merge rebase checkout switch restore cherry-pick revert stash apply am mv init worktree"
        " notes submodule bisect format-patch archive bundle reset update-ref",
        "delete": "clean rm prune gc filter-branch filter-repo",
        "deploy": "push",
        "fetch": "clone fetch pull ls-remote",
        "configure": "config",
        "send": "send-email request-pull",
    },
    "docker": {
        "read": "ps images logs inspect stats top port version info diff history search events",
        "delete": "rm rmi prune kill down",
        "deploy": "push stack service swarm",
        "fetch": "pull",
        "grant": "login",
        "write": "build tag commit cp save export import load create volume network",
        "execute": "run exec start stop restart compose buildx up",
    },
    "kubectl": {
        "read": "get describe logs top explain version api-resources api-versions cluster-info diff",
        "delete": "delete drain",
        "deploy": "apply create replace patch rollout scale set run expose autoscale edit",
        "configure": "label annotate taint cordon uncordon config",
        "execute": "exec attach debug proxy port-forward",
        "send": "cp",
        "grant": "auth certificate",
    },
    "helm": {
        "read": "list ls status get history search show template lint",
        "deploy": "install upgrade rollback push",
        "delete": "uninstall delete",
        "fetch": "pull repo dependency",
    },
    "terraform": {
        "read": "show output validate version providers graph",
        "deploy": "apply import",
        "delete": "destroy",
        "write": "fmt init",
        "configure": "state workspace taint untaint force-unlock",
        "execute": "plan console test",
    },
    "npm": {
        "read": "ls list view outdated audit",
        "deploy": "publish",
        "delete": "unpublish",
        "write": "install i ci add update upgrade uninstall remove rm un link dedupe prune",
        "execute": "run exec start test x dlx create init",
        "grant": "login adduser token owner access",
    },
    "pip": {
        "read": "list show freeze check tree",
        "write": "install uninstall download add remove sync lock update upgrade",
        "execute": "run",
        "deploy": "publish upload push",
    },
    "apt": {
        "read": "list search show policy info",
        "write": "install update upgrade full-upgrade dist-upgrade add reinstall -i -s -u",
        "delete": "remove purge autoremove uninstall del erase",
    },
    "cargo": {
        "deploy": "publish yank",
        "write": "add install remove update uninstall",
        "execute": "run build test bench",
        "grant": "login owner",
    },
    "twine": {"deploy": "upload", "read": "check"},
    "gh": {
        "read": "list view status diff checks",
        "deploy": "release workflow",
        "delete": "delete close",
        "send": "pr issue api gist comment create merge edit",
        "grant": "auth secret ssh-key gpg-key",
    },
    "aws": {"delete": "rm rb", "send": "cp mv sync", "grant": "iam sts configure", "deploy": "deploy"},
    "gcloud": {"deploy": "deploy", "delete": "delete", "grant": "iam auth add-iam-policy-binding"},
    "az": {"deploy": "deployment", "delete": "delete", "grant": "role ad login"},
    "systemctl": {
        "read": "status list-units is-active is-enabled show cat list-timers",
        "configure": "start stop restart reload enable disable mask unmask edit daemon-reload isolate kill poweroff"
        " reboot",
    },
    "redis-cli": {"delete": "flushall flushdb del unlink FLUSHALL FLUSHDB DEL UNLINK", "configure": "config CONFIG"},
}
FIRST_WORDS: dict[str, dict[str, str]] = {
    program: {word: operation for operation, words in known.items() for word in words.split()}
    for program, known in _FIRST_WORDS.items()
}
"""Programs whose first word says what they do."""
NESTED = frozenset({"docker", "aws", "gcloud", "gh", "az"})
"""Of these, what is done may be the second or third word: `docker volume rm`, `aws s3 rm`."""
GLOBAL_VALUES: dict[str, frozenset[str]] = {
    "git": frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"}),
    "docker": frozenset({"-H", "--host", "-c", "--context", "--config", "-l", "-f", "--file", "-p"}),
    "kubectl": frozenset({"-n", "--namespace", "--context", "--cluster", "--kubeconfig", "--user", "-s", "--server"}),
    "helm": frozenset({"-n", "--namespace", "--kube-context", "--kubeconfig"}),
    "npm": frozenset({"--prefix", "-w", "--workspace", "-C"}),
}
"""Options before the first word that take the next word as their value."""

ALIASES = {
    **dict.fromkeys(("podman", "nerdctl", "docker-compose"), "docker"),
    **dict.fromkeys(("oc", "k", "k3s"), "kubectl"),
    **dict.fromkeys(("tofu", "terragrunt"), "terraform"),
    **dict.fromkeys(("yarn", "pnpm"), "npm"),
    **dict.fromkeys(("uv", "pipx", "poetry", "conda", "mamba", "pdm", "gem", "bundle", "composer"), "pip"),
    **dict.fromkeys(
        ("apt-get", "yum", "dnf", "apk", "pacman", "brew", "zypper", "snap", "dpkg", "rpm", "choco"), "apt"
    ),
    **dict.fromkeys(("glab", "hub"), "gh"),
    "gsed": "sed",
    "grm": "rm",
}
"""Programs with the same first words as another."""

_BY_RESOURCE = {
    "repository": "git gh",
    "container": "docker",
    "cluster": "kubectl helm argocd",
    "package": "npm pip apt cargo twine",
    "cloud": "terraform aws gcloud az pulumi cdk",
    "database": "psql mysql mariadb sqlite3 sqlcmd mongosh redis-cli dropdb createdb dropuser createuser pg_dump"
    " pg_dumpall mysqldump mongodump mongoexport alembic flyway liquibase",
    "credential": "gpg pass vault ssh-keygen ssh-add op bw security printenv",
    "file": "rm cp mv tee shred truncate dd touch ln chmod chown mkdir rmdir sed",
}
RESOURCES = {program: resource for resource, names in _BY_RESOURCE.items() for program in names.split()}


def name_of(program: str) -> str:
    """The program that a path or another name stands for: `/usr/bin/docker-compose` is docker."""
    name = re.split(r"[/\\]", program)[-1].lower().removesuffix(".exe")
    name = re.sub(r"^(python|pip|perl|ruby|php|node|lua)[0-9][0-9.]*$", r"\1", name)
    return "mkfs" if name.startswith("mkfs.") else ALIASES.get(name, name)
