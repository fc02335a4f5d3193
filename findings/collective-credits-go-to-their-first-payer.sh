#!/usr/bin/env bash
# AqBanking 6.5.3 and HBCI4Java 3.1.64 (Debian aqbanking-tools, libhbci4j-core-java)
# Expected: an entry of camt.052 that books two payments in one sum (30.00 as 10.00 of Anna and 20.00 of Bert, two TxDtls) is
# read as two payments, or as a sum that names no payer.
# Actual: both libraries return one payment of 30.00 by Anna with her account, her reference and her text. Bert is nowhere.
# Source: ISO 20022, camt.052.001.02, EntryDetails/TransactionDetails (0..n, each with AmountDetails); AqBanking's
# imexporters/xml/data/camt_052_001_02.xml (paths that end at the first TxDtls); HBCI4Java's ParseCamt05200102.
# Why it matters: banks collect instant payments, direct debits that went back and payment orders of one file in one entry.
# Settled by such a reader, one participant has paid the fee of another, who gets a reminder; the total is right, so that
# no balance shows it. GnuCash and KMyMoney read with the first library, Hibiscus with the second.
set -euo pipefail
command -v aqbanking-cli >/dev/null || apt-get install -y -qq --no-install-recommends aqbanking-tools >/dev/null
command -v javac >/dev/null || apt-get install -y -qq --no-install-recommends default-jdk-headless >/dev/null
[ -e /usr/share/java/hbci4j-core.jar ] || apt-get install -y -qq --no-install-recommends libhbci4j-core-java >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >make.py <<'PY'
def details(reference, amount, name, account):
    return f'''<TxDtls><Refs><EndToEndId>{reference}</EndToEndId></Refs>
<AmtDtls><TxAmt><Amt Ccy="EUR">{amount}</Amt></TxAmt></AmtDtls>
<RltdPties><Dbtr><Nm>{name}</Nm></Dbtr><DbtrAcct><Id><IBAN>{account}</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>Invoice of {name}</Ustrd></RmtInf></TxDtls>'''
def entry(amount, *payments):
    return f'''<Ntry><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-24</Dt></BookgDt><ValDt><Dt>2026-11-24</Dt></ValDt>
<BkTxCd><Prtry><Cd>NTRF+166</Cd></Prtry></BkTxCd><NtryDtls>{''.join(details(*one) for one in payments)}</NtryDtls></Ntry>'''
anna = ('E-1', '10.00', 'Anna', 'DE75512108001245126199')
bert = ('E-2', '20.00', 'Bert', 'DE89370400440532013000')
cleo = ('E-3', '14.00', 'Cleo', 'DE75512108001245126199')
print(f'''<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"><BkToCstmrAcctRpt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-24T20:00:00</CreDtTm></GrpHdr>
<Rpt><Id>1</Id><CreDtTm>2026-11-24T20:00:00</CreDtTm><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>
{entry('30.00', anna, bert)}
{entry('14.00', cleo)}
</Rpt></BkToCstmrAcctRpt></Document>''')
PY
python3 make.py >report.xml
if command -v xmllint >/dev/null; then
  python3 -m zipfile -e /usr/share/java/hbci4j-core.jar schemas
  xmllint --noout --schema schemas/camt.052.001.02.xsd report.xml
fi
cat >Read.java <<'JAVA'
import java.io.FileInputStream;
import java.util.ArrayList;
import org.kapott.hbci.GV.parsers.ParseCamt05200102;
import org.kapott.hbci.GV_Result.GVRKUms.BTag;

public class Read {
    public static void main(String[] files) throws Exception {
        var days = new ArrayList<BTag>();
        new ParseCamt05200102().parse(new FileInputStream(files[0]), days);
        for (var day : days)
            for (var line : day.lines)
                System.out.println("HBCI4Java: " + line.value.getLongValue() + " " + line.other.name + " " + line.endToEndId);
    }
}
JAVA
classes=/usr/share/java
jars=$classes/hbci4j-core.jar:$classes/jaxb-api.jar:$classes/jaxb-runtime.jar:$classes/jaxb-core.jar:$classes/jaxb-impl.jar:$classes/istack-commons-runtime.jar:$classes/javax.activation.jar:.
javac -nowarn -cp "$jars" Read.java 2>/dev/null
HOME=$folder aqbanking-cli import --importer=xml --profile=camt_052_001_02 -f report.xml -c read.txt >/dev/null 2>&1
dpkg-query -W aqbanking-tools libhbci4j-core-java
found=$(
  java -cp "$jars" Read report.xml 2>/dev/null
  python3 - <<'PY'
import re
from urllib.parse import unquote
for part in open('read.txt').read().split('transaction {')[1:]:
    value = {key: unquote(text) for key, text in re.findall(r'char (\w+)="([^"]*)"', part)}
    print('AqBanking:', value['value'], value['remoteName'], value['endToEndReference'])
PY
)
echo "$found"
[ "$found" = 'HBCI4Java: 3000 Anna E-1
HBCI4Java: 1400 Cleo E-3
AqBanking: 3000/100:EUR Anna E-1
AqBanking: 1400/100:EUR Cleo E-3' ]
