"""Which commands can only have shown this machine, each way of writing them."""

from __future__ import annotations

import json

import pytest

from memex_core.model.commands.reach import EXTERNAL, LOCAL, RECALL, reach_of

HERE = r"""
ls -la
cat a.py b.py
grep curl notes.txt
grep -rn "https://example.org" src
rg -n 'git pull' .
echo "git pull"
echo 'curl https://example.org' > notes.txt
printf '%s\n' wget
git log --oneline | head -5
git -C sub status --short
git -c core.pager=cat diff HEAD~1
git --no-pager show HEAD:README.md
git commit -m "curl https://example.org is gone"
git stash list
cd /w/shop && git status
cd /w/shop; ls; pwd
find . -name '*.py' -newer setup.py
find . -name '*.log' -exec grep -l curl {} \;
find . -type f | xargs grep -n ssh
FOO=1 pytest -q
A=1 B="x y" make test
make
make -j4 check
timeout 60 pytest tests
nice -n 10 cargo test
time go test ./...
sudo cat /etc/hosts
env PYTHONPATH=src pytest
nohup pytest > out.log 2>&1 &
if grep -q x f; then echo yes; else echo no; fi
for f in *.py; do wc -l "$f"; done
while read line; do echo "$line"; done < list.txt
[ -f a ] && cat a || echo none
! grep -q curl a.sh
(cd sub && ls)
{ ls; pwd; }
bash -c 'ls | wc -l'
bash -lc "rg curl src"
sh -euc 'echo "wget"'
python -m pytest -q tests
python3.11 -m unittest
python -c "print(1 + 1)"
python tests/test_orders.py
python - <<'EOF'
import json
print(json.dumps({}))
EOF
node -e "console.log(1)"
npm test
npm run lint
npm ls --depth=0
npx jest --ci
uv run pytest -q
poetry run mypy src
cargo clippy
pip list
pip show requests
docker ps
docker logs web
sed -n '1,20p' curl.py
awk '{print $1}' hosts.txt
jq .name package.json
diff <(sort a) <(sort b)
echo $(git rev-parse HEAD)
echo `date`
x=$(wc -l < f); echo $x
cat <<EOF > deploy.sh
curl https://example.org | sh
EOF
ls # then curl https://example.org
rsync -a src/ backup/
scp a.txt b.txt
/usr/bin/grep -n nc a
.venv/bin/pytest -q
./node_modules/.bin/tsc --noEmit
curl --version
python --version
case $x in a) ls;; esac
select-string -path a.ps1 -pattern Invoke-WebRequest
"""

AWAY = r"""
curl https://example.org
curl -s localhost:8080
/usr/bin/curl https://example.org
\curl x
git pull
git pull --rebase origin main
git -C x pull
git -C x fetch origin
git -c a=b clone https://example.org/x
git --git-dir=x/.git push
git remote -v
git ls-remote origin
git submodule update --init
git lfs pull
git archive --remote=ssh://x main
FOO=1 curl https://example.org
FOO=1 BAR="x y" wget x
timeout 5 curl https://example.org
timeout -k 3 5s curl https://example.org
nohup wget http://example.org
sudo -u root curl x
sudo A=1 curl x
env A=1 curl x
env -u A curl x
nice -n 5 curl x
time curl x
stdbuf -oL curl x
cat urls | xargs -n 1 curl
cat urls | xargs -I{} sh -c 'curl {}'
find . -name u -exec curl -d @{} x \;
watch -n 5 curl x
command curl x
exec curl x
eval "curl x"
cd /tmp
curl https://example.org
ls; curl x
ls && wget x
ls || wget x
ls & curl x
ls | ssh host cat
(cd x; wget y)
{ curl x; }
if ! curl x; then echo down; fi
while ! curl x; do sleep 1; done
until curl x; do :; done
for i in 1 2; do curl "x/$i"; done
f() { curl x; }; f
echo $(curl x)
echo "now $(curl x)"
echo `wget -qO- x`
diff <(curl a) b
x=$(curl y)
bash -c 'curl x'
bash -lc "cd x && git pull"
sh -ec 'ls; curl x'
bash <<EOF
curl x
EOF
bash <<< "curl x"
cat <<EOF
$(curl x)
EOF
exec 3<>/dev/tcp/example.org/80
aria2c x
http GET example.org
https example.org
ssh host uptime
scp host:a.txt .
rsync -a user@host:src/ .
rsync rsync://example.org/x .
sftp host
ftp host
nc example.org 80
telnet example.org
ping -c 1 example.org
dig example.org
gh pr view 3
glab mr list
hub issue
npm install
npm view react
npx create-react-app x
yarn add x
pip install requests
pip3 download x
uv pip install x
pip index versions x
cargo install ripgrep
cargo search x
cargo update
go get example.org/x
go install x@latest
go mod download
brew info x
apt-get install -y curl
apt-cache show curl
docker pull alpine
docker run alpine ls
kubectl get pods
aws s3 ls
gcloud projects list
az vm list
terraform plan
python -c "import urllib.request as u; print(u.urlopen('x').read())"
python3 -c 'import requests; print(requests.get("x").text)'
python -c "import http.client"
python -m pip install x
python -m http.server
python - <<'EOF'
import requests
EOF
node -e "fetch('x').then(console.log)"
perl -MLWP::Simple -e 'getprint "x"'
ruby -e 'require "open-uri"'
php -r 'echo file_get_contents("x");'
awk 'BEGIN { system("curl x") }'
Invoke-WebRequest https://example.org
irm x | iex
pwsh -Command Invoke-RestMethod x
./deploy.sh
./grep x
bash deploy.sh
python job.py
make deploy
npm run deploy
something-new --all
$CMD x
echo "a quote that never ends
openssl s_client -connect x:443
uv run python job.py
"""

MEMORY = r"""
memex recall linter
cd x && ~/bin/memex --root . context
FOO=1 memex show a
timeout 5 memex recall a
bash -lc "memex recall a"
echo "$(memex recall a)"
curl x; memex recall a
python -m memex_core.cli recall a
uvx memex recall a
memex recall a | head
"""


def commands(text: str) -> list[str]:
    """A command a line; one that feeds lines, or goes on behind ``cd``, ends where the next one begins."""
    found: list[str] = []
    for line in text.strip().split("\n"):
        before = found[-1].split("\n") if found else [""]
        open_here = "<<" in before[0] and "<<<" not in before[0] and before[-1] != "EOF"
        if open_here or (found and before[0] == "cd /tmp" and len(before) == 1):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


def test_there_are_enough_of_them() -> None:
    assert (len(commands(HERE)), len(commands(AWAY)), len(commands(MEMORY))) == (74, 124, 10)


@pytest.mark.parametrize("command", commands(HERE))
def test_what_looks_at_this_machine_alone(command: str) -> None:
    assert reach_of(command) == LOCAL
    assert reach_of(json.dumps({"command": command, "description": "curl x"})) == LOCAL


@pytest.mark.parametrize("command", commands(AWAY))
def test_what_reaches_elsewhere(command: str) -> None:
    assert reach_of(command) == EXTERNAL
    assert reach_of(json.dumps({"cmd": command})) == EXTERNAL


@pytest.mark.parametrize("command", commands(MEMORY))
def test_what_asks_memex(command: str) -> None:
    assert reach_of(command) == RECALL


@pytest.mark.parametrize(
    ("query", "reach"),
    [
        ('{"cmd": ["curl", "https://example.org"]}', EXTERNAL),
        ('{"cmd": ["rg", "-n", "curl", "api/orders.py"]}', LOCAL),
        ('["bash", "-lc", "git pull"]', EXTERNAL),
        ('["bash", "-lc", "git status"]', LOCAL),
        ('{"type": "exec", "command": ["bash", "-lc", "wget x"]}', EXTERNAL),
        ('{"command": ["git", "-C", "x", "pull"]}', EXTERNAL),
        ('{"command": ["echo", "; curl x"]}', LOCAL),
        ("bash -lc git pull && ls", EXTERNAL),
        ('{"session_id": 3, "chars": "curl x\\n"}', EXTERNAL),
        ('{"session_id": 3, "chars": "ls\\n"}', LOCAL),
        ('{"bash_id": "b1"}', EXTERNAL),
        ("{}", EXTERNAL),
        ("", EXTERNAL),
        ("[ -f a ]", LOCAL),
        ("{ ls; }", LOCAL),
    ],
)
def test_the_shapes_in_which_hosts_ask(query: str, reach: str) -> None:
    assert reach_of(query) == reach
