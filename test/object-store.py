"""Debian's Swift with its S3 API on the loopback interface: python3 object-store.py FOLDER USER KEY

Prints the address of the S3 API when it answers, and ends when its input closes, which happens when the process that started it ends.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time

folder, user, key = sys.argv[1:4]

from swift.common import utils  # noqa: E402

SERVERS = ['account', 'container', 'object', 'proxy']


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(('127.0.0.1', 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


ports = dict(zip(SERVERS, free_ports(len(SERVERS))))

PIPELINE = 'catch_errors cache s3api tempauth slo proxy-server'


def write(name, text):
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)


def common(name):
    return f"""[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {ports[name]}
workers = 0
user = {pwd.getpwuid(os.getuid()).pw_name}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_address = {folder}/no-log
log_level = CRITICAL
fallocate_reserve = 0
"""


write('swift.conf', '[swift-hash]\nswift_hash_path_prefix = test\nswift_hash_path_suffix = test\n')
for name in SERVERS[:3]:
    write(f'{name}.conf', common(name) + f"""
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
""")
write('proxy.conf', common('proxy') + f"""
[pipeline:main]
pipeline = {PIPELINE}
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:slo]
use = egg:swift#slo
[filter:tempauth]
use = egg:swift#tempauth
user_test_{user} = {key} .admin
""")

# The library reads the rings from this folder, so it must be set before the import.
utils.set_swift_dir(folder)
from swift.common.ring import RingBuilder  # noqa: E402

os.makedirs(os.path.join(folder, 'devices', 'one'), exist_ok=True)
for name in SERVERS[:3]:
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({
        'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'device': 'one', 'meta': '',
        'ip': '127.0.0.1', 'port': ports[name],
        'replication_ip': '127.0.0.1', 'replication_port': ports[name],
    })
    builder.rebalance(seed=1)
    builder.get_ring().save(os.path.join(folder, f'{name}.ring.gz'))

# Separate processes from the start, because an event hub does not survive a fork. The kernel kills them when this process
# dies (1 is PR_SET_PDEATHSIG).
SERVE = 'import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.getppid() == int(sys.argv[4]) or sys.exit(); ' \
    'from swift.common import utils; utils.set_swift_dir(sys.argv[1]); ' \
    'from swift.common.wsgi import run_wsgi; sys.exit(run_wsgi(sys.argv[2], sys.argv[3]))'
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
children = [
    subprocess.Popen(
        [sys.executable, '-c', SERVE, folder, os.path.join(folder, f'{name}.conf'), f'{name}-server', str(os.getpid())],
        stdin=subprocess.DEVNULL,
        stdout=open(os.path.join(folder, f'{name}.log'), 'w'),
        stderr=subprocess.STDOUT,
    )
    for name in SERVERS
]

try:
    for name in SERVERS:
        for _ in range(2400):
            try:
                socket.create_connection(('127.0.0.1', ports[name]), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        else:
            log = open(os.path.join(folder, f'{name}.log')).read()
            sys.exit(f'Swift did not start ({name}): {log}')
    print(f'http://127.0.0.1:{ports["proxy"]}', flush=True)
    sys.stdin.read()
finally:
    for child in children:
        child.kill()
    shutil.rmtree(folder, ignore_errors=True)
