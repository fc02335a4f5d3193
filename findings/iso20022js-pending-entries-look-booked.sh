#!/usr/bin/env bash
# iso20022.js 0.0.15 (npm)
# Expected: a parsed statement says of each entry whether it is booked (BOOK), pending (PDNG) or only information (INFO),
# or leaves out those that are not booked.
# Actual: the three are equal: the state (Sts) is not read, so that pending entries have a booking date and an amount as
# booked ones have.
# Source: ISO 20022, camt.053.001.02, Entry/Status, a mandatory element; the package's Entry type has no field for it.
# Why it matters: a pending credit may never arrive, and arrives again as booked on the next day. Whoever settles invoices
# by these entries takes it for paid, and counts it twice.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent iso20022.js@0.0.15
cat >test.mjs <<'EOF'
import { CashManagementEndOfDayReport } from 'iso20022.js'

const day = '<Dt>2026-11-24</Dt>'
const time = '<CreDtTm>2026-11-24T20:00:00</CreDtTm>'
const money = '<Amt Ccy="EUR">45.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>'
const entry = state => `<Ntry>${money}<Sts>${state}</Sts><BookgDt>${day}</BookgDt><ValDt>${day}</ValDt>
<BkTxCd><Prtry><Cd>NTRF+166</Cd></Prtry></BkTxCd></Ntry>`
const states = ['BOOK', 'PDNG', 'INFO']
const { statements } = CashManagementEndOfDayReport.fromXML(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId>${time}</GrpHdr>
<Stmt><Id>1</Id><ElctrncSeqNb>1</ElctrncSeqNb><LglSeqNb>1</LglSeqNb>${time}<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy>
<Svcr><FinInstnId><BIC>BYLADEM1001</BIC></FinInstnId></Svcr></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>${money}<Dt>${day}</Dt></Bal>${states.map(entry).join('')}</Stmt></BkToCstmrStmt></Document>`)
const entries = statements[0].entries.map(one => JSON.stringify(one))
console.log(`${entries.length} entries for ${states.join(', ')}:\n${entries.join('\n')}`)
if (entries.length !== 3 || new Set(entries).size !== 1 || /BOOK|PDNG|INFO/.test(entries[0])) process.exit(1)
EOF
npm ls iso20022.js | tail -n +2
node test.mjs
