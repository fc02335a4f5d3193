#!/usr/bin/env bash
# ibantools 4.5.4 (npm): isSEPACountry says no for five countries that take part in the SEPA schemes.
#
# One expects: a country whose payment service providers are reachable by SEPA credit transfer counts as SEPA country.
# What happens: isSEPACountry() is false for AL, MD, ME and MK (schemes joined with effect of 5 October 2025) and for RS
#   (May 2026), although the library validates their IBANs. Those of 2024 and earlier, such as SM or VA, are true.
# Source: European Payments Council, list of SEPA scheme countries (EPC409-09); the flags are in countrySpecs of the library.
# Why it matters: a form that refuses IBANs "outside SEPA" by this function turns away payees whom the bank reaches. Keep
#   the additions beside the library, and drop them once it has them.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ibantools@4.5.4
node -e '
const { isSEPACountry, isValidIBAN } = require("ibantools")
console.log("ibantools", JSON.parse(require("fs").readFileSync("node_modules/ibantools/package.json","utf8")).version)
const valid = { AL: "AL47212110090000000235698741", MD: "MD24AG000225100013104168", ME: "ME25505000012345678951", MK: "MK07250120000058984", RS: "RS35260005601001611379" }
let changed = false
for (const [country, iban] of Object.entries(valid)) {
  const seen = { country, validIban: isValidIBAN(iban), sepa: isSEPACountry(country) }
  console.log(JSON.stringify(seen))
  if (!seen.validIban || seen.sepa) changed = true
}
for (const country of ["SM", "VA", "AD"]) if (!isSEPACountry(country)) changed = true
if (changed) { console.log("the behaviour has changed"); process.exit(1) }
'
