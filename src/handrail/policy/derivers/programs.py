"""What programs do, by their names and their first words. What is not here may do anything."""

from __future__ import annotations

import re

_ALWAYS: dict[str, frozenset[str]] = {
    program: frozenset(operations.split())
    for operations, programs in {
        "delete": "rm rmdir unlink shred srm wipe wipefs truncate dropdb dropuser trash blkdiscard mkswap fdisk parted"
        " sgdisk rimraf del erase rd format remove-item",
        "write": "cp mv tee touch mkdir ln install patch split csplit tar unzip zip gzip gunzip bzip2 xz zstd 7z mktemp"
        " sed sort uniq ed ex vi vim nano emacs createdb sponge mkfifo mknod rename dos2unix convert ffmpeg cpio ar"
        " ld copy-item move-item new-item set-content out-file add-content",
        "configure": "chmod chown chgrp chattr setfacl systemctl service iptables ip6tables nft ufw"
        " firewall-cmd crontab"
        " at batch sysctl mount umount swapon swapoff modprobe insmod rmmod ifconfig ip route hostnamectl timedatectl"
        " update-alternatives ldconfig update-rc.d chkconfig launchctl defaults netsh reg sc shutdown reboot halt"
        " poweroff init telinit setenforce export alias unset ulimit umask kill pkill killall xkill renice loginctl"
        " losetup lvremove vgremove pvremove zpool zfs btrfs set declare local readonly typeset unalias trap",
        "grant": "sudo doas su visudo usermod useradd adduser groupadd gpasswd passwd chpasswd setcap newgrp"
        " pkexec runuser"
        " createuser htpasswd ssh-copy-id ssh-keygen ssh-add addgroup groupmod dscl setpriv capsh",
        "deploy": "ansible-playbook ansible fly flyctl vercel netlify serverless sls cdk cdktf pulumi eb cf"
        " argocd skaffold"
        " capistrano kamal waypoint nomad",
        "send": "nc ncat netcat telnet sendmail mail mailx mutt ftp sftp tftp socat ssh scp rsync rclone openssl",
        "fetch": "curl wget aria2c axel http https xh lynx w3m links dig nslookup host ping traceroute whois git-lfs",
        "migrate": "alembic flyway liquibase dbmate goose sqitch atlas",
        "export": "pg_dump pg_dumpall mysqldump mongodump mongoexport sqlite3_dump redis-dump",
        "execute": "bash sh zsh dash ksh fish csh tcsh python python2 python3 perl ruby node nodejs php lua"
        " awk gawk mawk"
        " make cmake ninja eval source . exec java javac gcc g++ cc clang go cargo rustc dotnet mvn gradle deno bun tsx"
        " ts-node Rscript julia osascript powershell pwsh cmd expect tclsh gdb strace ltrace screen tmux at nsenter"
        " unshare chroot crontab env xargs parallel busybox",
    }.items()
    for program in programs.split()
}
EFFECTS: dict[str, frozenset[str]] = _ALWAYS | {
    "crontab": frozenset({"configure", "execute"}),
    "dd": frozenset({"write"}),
    "scp": frozenset({"send", "write"}),
    "rsync": frozenset({"send", "write"}),
    "ssh": frozenset({"send", "execute"}),
    "socat": frozenset({"send", "execute"}),
    "nc": frozenset({"send"}),
    "wget": frozenset({"fetch", "write"}),
}
"""What each program does, whatever it is told; the more careful reading where it depends."""

_PACKAGES = "install add update upgrade uninstall remove sync i ci un rm up"

SUBCOMMANDS: dict[str, dict[str, str]] = {
    "git": {
        "read": "status log show diff blame branch tag remote describe shortlog rev-parse ls-files ls-tree"
        " cat-file grep"
        " reflog rev-list name-rev count-objects",
        "write": "add commit merge rebase checkout switch restore cherry-pick revert stash apply am mv init"
        " worktree notes"
        " submodule bisect format-patch archive bundle",
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
        "fetch": "pull login",
        "write": "build tag commit cp save export import load create volume network",
        "execute": "run exec start stop restart compose buildx up",
    },
    "kubectl": {
        "read": "get describe logs top explain version api-resources api-versions cluster-info",
        "delete": "delete drain",
        "deploy": "apply create replace patch rollout scale set run expose autoscale edit",
        "configure": "label annotate taint cordon uncordon config",
        "execute": "exec attach debug proxy port-forward",
        "send": "cp",
        "grant": "auth certificate",
    },
    "helm": {
        "deploy": "install upgrade rollback push",
        "delete": "uninstall delete",
        "read": "list status get history",
    },
    "terraform": {
        "deploy": "apply import",
        "delete": "destroy",
        "write": "fmt init",
        "configure": "state workspace taint untaint force-unlock",
        "execute": "plan console",
        "read": "show output validate version providers graph",
    },
    "npm": {
        "deploy": "publish",
        "delete": "unpublish",
        "write": _PACKAGES,
        "execute": "run exec start test x",
        "read": "ls list view",
    },
    "pip": {"write": "install uninstall download", "read": "list show freeze check"},
    "apt": {
        "write": "install update upgrade full-upgrade autoremove",
        "delete": "remove purge",
        "read": "list search show",
    },
    "cargo": {"deploy": "publish yank", "write": "add install remove update", "execute": "run build test bench"},
    "twine": {"deploy": "upload", "read": "check"},
    "gh": {
        "deploy": "release workflow",
        "delete": "delete",
        "send": "pr issue api gist",
        "grant": "auth secret ssh-key",
    },
    "aws": {"delete": "rm rb terminate-instances", "send": "cp mv sync", "grant": "iam sts", "deploy": "deploy"},
    "gcloud": {"deploy": "deploy", "delete": "delete", "grant": "iam auth add-iam-policy-binding"},
    "az": {"deploy": "deployment", "delete": "delete", "grant": "role ad"},
    "systemctl": {"read": "status list-units is-active is-enabled show cat list-timers"},
}
ALIASES = {
    **dict.fromkeys(("podman", "nerdctl", "docker-compose"), "docker"),
    **dict.fromkeys(("oc", "k", "k3s"), "kubectl"),
    **dict.fromkeys(("tofu", "terragrunt"), "terraform"),
    **dict.fromkeys(("yarn", "pnpm", "npx"), "npm"),
    **dict.fromkeys(("pip3", "uv", "pipx", "poetry", "conda", "pdm", "gem", "bundle", "composer"), "pip"),
    **dict.fromkeys(
        ("apt-get", "yum", "dnf", "apk", "pacman", "brew", "zypper", "snap", "dpkg", "rpm", "choco"), "apt"
    ),
}
"""Programs with the same first words as another."""

RESOURCES = {
    **dict.fromkeys(("git", "gh", "glab"), "repository"),
    **dict.fromkeys(("docker",), "container"),
    **dict.fromkeys(("kubectl", "helm", "argocd"), "cluster"),
    **dict.fromkeys(("npm", "pip", "apt", "cargo", "twine"), "package"),
    **dict.fromkeys(("terraform", "aws", "gcloud", "az", "pulumi", "cdk"), "cloud"),
    **dict.fromkeys(("psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "mongosh", "redis-cli", "dropdb"), "database"),
    **dict.fromkeys(("pg_dump", "pg_dumpall", "mysqldump", "mongodump", "mongoexport", "createdb"), "database"),
    **dict.fromkeys(
        ("gpg", "pass", "vault", "ssh-keygen", "ssh-add", "op", "bw", "security", "printenv"), "credential"
    ),
    **dict.fromkeys(("rm", "cp", "mv", "tee", "shred", "truncate", "dd", "touch", "ln", "chmod", "chown"), "file"),
}

INTERPRETERS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish"})
"""Shells: what stands after -c is a command again."""

WRAPPERS: dict[str, str] = {
    **dict.fromkeys(("sudo", "doas"), "ugpCDhrtTR"),
    **dict.fromkeys(("nohup", "time", "command", "builtin", "exec", "setsid", "caffeinate", "unbuffer"), "a"),
    **dict.fromkeys(("nice", "ionice"), "ncp"),
    **dict.fromkeys(("strace", "ltrace"), "eopsEI"),
    "env": "uSC",
    "xargs": "aEILnPsd",
    "timeout": "ks",
    "stdbuf": "ioe",
    "chroot": "",
    "flock": "wE",
    "busybox": "",
    "watch": "n",
    "parallel": "jaI",
    "unshare": "",
    "nsenter": "t",
    "runuser": "u",
    "entr": "",
    "torsocks": "",
    "proxychains": "f",
}
"""Programs that run the command after their own options, and the letters of their options that take a value."""
LEADING_WORDS = {"timeout": 1, "chroot": 1, "flock": 1}
"""How many words of their own stand before that command."""

SQL_OPTIONS = {
    "psql": ("-c", "--command"),
    "mysql": ("-e", "--execute"),
    "mariadb": ("-e", "--execute"),
    "sqlcmd": ("-Q", "-q"),
}


def name_of(program: str) -> str:
    """The program that a path or alias stands for: `/usr/bin/docker-compose` is docker."""
    name = re.split(r"[/\\]", program)[-1].lower().removesuffix(".exe")
    name = re.sub(r"^(python|pip|perl|ruby|php|node|lua)[0-9][0-9.]*$", r"\1", name)
    return "mkfs" if name.startswith("mkfs") else ALIASES.get(name, name)
