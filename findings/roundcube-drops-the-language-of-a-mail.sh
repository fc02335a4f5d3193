#!/usr/bin/env bash
# The HTML filter of Roundcube 1.6.5 (Debian roundcube-core, rcube_washtml with html5-php) in PHP 8.2 (Debian php8.2-cli)
# Expected: <html lang="de"> is the language of an HTML e-mail, as of each page, and layout tables with role="presentation" are none for
# screen readers.
# Actual: the filter knows lang as a harmless attribute, but leaves the element html out, and with it the only place where
# e-mail templates state the language; role is removed from every element. lang on body or on the outermost table stays.
# Source: html_elements and html_attribs of program/lib/Roundcube/rcube_washtml.php; WCAG 2.2, 3.1.1 (language of page).
# Why it matters: the mail becomes a part of the page of the webmail, whose language is that of its reader's settings. A German mail
# is read aloud with the English voice, and hyphenated and translated as English. Checks of the mail's source find lang in its place,
# so that it has to be there twice.
set -euo pipefail
php -r 'exit(class_exists("DOMDocument") && function_exists("mb_strlen") ? 0 : 1);' 2>/dev/null ||
  apt-get install -y -qq --no-install-recommends php-cli php-xml php-mbstring >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
# Unpacked only: installed, it would set up a database.
apt-get download -qq roundcube-core php-masterminds-html5 2>/dev/null
for package in *.deb; do
  dpkg-deb -W "$package"
  dpkg-deb -x "$package" .
done
cat >wash.php <<'PHP'
<?php
require 'usr/share/php/Masterminds/HTML5/autoload.php';
foreach (['rcube_utils', 'rcube_charset', 'rcube_washtml'] as $name) require "usr/share/roundcube/program/lib/Roundcube/$name.php";
define('RCUBE_CHARSET', 'UTF-8');
$table = fn ($attributes) => "<table$attributes><tr><td>Hallo</td></tr></table>";
$mails = [
    'html' => '<html lang="de"><body>' . $table(' role="presentation"') . '</body></html>',
    'table' => '<html lang="de"><body>' . $table(' lang="de"') . '</body></html>',
];
foreach ($mails as $name => $html) {
    $washed = (new rcube_washtml(['charset' => 'UTF-8', 'show_washed' => false, 'html_elements' => ['body']]))->wash($html);
    echo "$name: ", trim(preg_replace('/<!--.*?-->/s', '', $washed)), "\n";
}
PHP
found=$(php -d error_reporting=0 wash.php)
echo "$found"
[ "$found" = 'html: <body><table><tr><td>Hallo</td></tr></table></body>
table: <body><table lang="de"><tr><td>Hallo</td></tr></table></body>' ]
