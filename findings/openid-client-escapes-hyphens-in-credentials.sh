#!/usr/bin/env bash
# openid-client 6.8.9 (npm) and LemonLDAP::NG 2.16.1 (Debian liblemonldap-ng-portal-perl)
# Expected: a client "sport-portal" with the secret "a-long_secret.1" authenticates by HTTP Basic as sport-portal:a-long_secret.1.
# Form encoding leaves hyphens, underscores and dots alone: in URLSearchParams, in PHP, Java and Python.
# Actual: openid-client sends sport%2Dportal:a%2Dlong%5Fsecret%2E1. RFC 6749 refers to HTML 4.01, where all but letters and digits
# is escaped, so that it is right by the letter; a provider that decodes sees no difference. LemonLDAP::NG does not decode,
# and refuses the client ("Wrong credentials") with a secret that is right.
# Source: RFC 6749, 2.3.1 and appendix B; formUrlEncode in oauth4webapi; issue 161 of openid-client ("correct behaviour");
# getEndPointAuthenticationCredentials in Lemonldap::NG::Portal::Lib::OpenIDConnect.
# Why it matters: client ids are names with hyphens, and random secrets have them. The login fails for everybody, on the last
# step, with invalid_client; curl -u with the same credentials works. A function for the authentication that encodes with
# URLSearchParams is understood by both kinds of providers.
set -euo pipefail
perl -e 'use Lemonldap::NG::Portal::Lib::OpenIDConnect' 2>/dev/null ||
  apt-get install -y -qq --no-install-recommends liblemonldap-ng-portal-perl libcrypt-openssl-{bignum,rsa,x509}-perl \
    libcrypt-urandom-perl >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent openid-client@6.8.9
cat >send.mjs <<'JS'
import { createServer } from 'node:http'
import * as client from 'openid-client'
const server = createServer((request, response) => {
  console.log(request.headers.authorization)
  response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":"invalid_client"}')
}).listen(0, '127.0.0.1', async () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const plain = secret => (_server, { client_id }, _body, headers) => {
    const encode = text => new URLSearchParams({ x: text }).toString().slice(2)
    headers.set('Authorization', `Basic ${btoa(`${encode(client_id)}:${encode(secret)}`)}`)
  }
  for (const authentication of [client.ClientSecretBasic, plain]) {
    const metadata = { issuer, token_endpoint: `${issuer}/token` }
    const configuration = new client.Configuration(metadata, 'sport-portal', {}, authentication('a-long_secret.1'))
    client.allowInsecureRequests(configuration)
    await client.clientCredentialsGrant(configuration).catch(() => null)
  }
  server.close()
})
JS
cat >read.pl <<'PERL'
use strict;
use warnings;
use Lemonldap::NG::Portal::Lib::OpenIDConnect;
package Provider { sub new { bless {}, shift } sub logger { shift } sub debug { } sub error { warn $_[1] } }
package Request { sub new { bless { header => $_[1] }, $_[0] } sub authorization { $_[0]{header} } sub param { undef } }
my $read = Lemonldap::NG::Portal::Lib::OpenIDConnect->can('getEndPointAuthenticationCredentials');
while (my $header = <STDIN>) {
    chomp $header;
    print join(' ', $read->(Provider->new, Request->new($header))), "\n";
}
PERL
npm ls | tail -n +2
dpkg-query -W liblemonldap-ng-portal-perl
found=$(node send.mjs | perl read.pl)
echo "$found"
[ "$found" = 'sport%2Dportal a%2Dlong%5Fsecret%2E1
sport-portal a-long_secret.1' ]
