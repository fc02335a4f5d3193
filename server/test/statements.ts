type Entry = {
  cents: number
  text: string
  day?: string
  currency?: string
  kind?: 'CRDT' | 'DBIT'
  status?: string
  reversal?: true
}

const euros = (cents: number) => (cents / 100).toFixed(2)

/** Builds a bank statement in the format camt.053.001.08. */
export const buildCamt = (
  entries: readonly Entry[],
  prefix = '',
): string => `${prefix}<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id>
<Bal><Amt Ccy="EUR">9999.99</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>${entries
  .map(
    ({ cents, text, day = '2026-11-24', currency = 'EUR', kind = 'CRDT', status = '<Cd>BOOK</Cd>', reversal }) => `
<Ntry><Amt Ccy="${currency}">${euros(cents)}</Amt><CdtDbtInd>${kind}</CdtDbtInd>${reversal ? '<RvslInd>true</RvslInd>' : ''}<Sts>${status}</Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>2020-01-01</Dt></ValDt><NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<RltdPties><Dbtr><Pty><Nm>Kim Muster</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  )
  .join('')}</Stmt></BkToCstmrStmt></Document>`
