import { type ClassifiedSentences, INFORMATION } from './classes.ts'

/** The sentences of src/i18n/de/superiors.json. */
export const SUPERIORS: ClassifiedSentences = {
  'Wer Menschen führt, hat im Portal dafür kein Recht.': { testedBy: ['superiors'] },
  'Diese Seite nennt, was Vorgesetzte sehen und was nicht.': INFORMATION,
  'Das Portal speichert nicht, wer wen führt.': INFORMATION,
  'Es gibt dafür kein Recht, keine Liste und keine Nachricht.': { testedBy: ['departmentOnly'] },
  'Vorgesetzte sehen, was alle Besucher sehen.': { testedBy: ['superiors'] },
  'Das Programm mit freien Plätzen als Zahl, ohne Namen, und:': INFORMATION,
  'In Klammern, wer es stattdessen sieht:': { testedBy: ['superiors'] },
  'Wer einen Kurs leitet, sieht dessen Teilnahmeliste, wer in der Abteilung arbeitet, was sein Recht öffnet, auch wenn eigene Beschäftigte darunter sind.':
    { testedBy: ['teachers', 'departmentOnly'] },
  'Jedes solche Ansehen steht ein Jahr lang im [Profil](/edit) der Person, mit Zeitpunkt und Rolle.': {
    testedBy: ['accessLog', 'retentionMap'],
  },
  'Der Bericht der Abteilung zählt Menschen nach Alter, Status und Abteilung; Gruppen unter {{smallest}} Personen nennt er nicht.':
    { testedBy: ['reportGroups'] },
  'Die Personalabrechnung erhält Beträge je Personalnummer, ohne Kurs und Anwesenheit.': {
    testedBy: ['payrollColumns'],
  },
  'Wann eine Kursleitung Anwesenheit eintrug, wird nicht ausgewertet.': { testedBy: ['tickTime'] },
}

/** The sentences of src/i18n/de/processing-record.json. */
export const PROCESSING_RECORD: ClassifiedSentences = {
  'Aus der Tabelle, nach der das Portal selbst löscht: was gespeichert ist, wozu, wer es sieht und wie lange.': {
    testedBy: ['dataMap', 'retentionMap'],
  },
  'Wen es betrifft': INFORMATION,
  'Personen mit Konto': INFORMATION,
  Teilnehmende: INFORMATION,
  Kursleitungen: INFORMATION,
  'Verantwortlich ist die {{company}}, {{address}}, hier die {{department}}, Telefon {{phone}}, E-Mail [{{email}}](mailto:{{email}}).':
    INFORMATION,
  'Datenschutz: {{officer}}, [{{privacyEmail}}](mailto:{{privacyEmail}}).': INFORMATION,
  'Ort des Betriebs, Auftragsverarbeiter und eine Folgenabschätzung kennt das Portal nicht; die Verantwortlichen ergänzen sie.':
    INFORMATION,
  'Kurse ankündigen, Plätze vergeben, Anwesenheit festhalten, Gebühren abrechnen und die Teilnahme bescheinigen.':
    INFORMATION,
  'Reichweite wird nicht gemessen, Profile werden nicht gebildet, Entscheidungen über Menschen fallen nicht automatisch.':
    { testedBy: ['dataMap', 'foreignOrigins'] },
  'Jede Spalte der Datenbank gehört zu einer dieser Kategorien; die Fristen gelten von selbst, stündlich geprüft.': {
    testedBy: ['dataMap', 'retention'],
  },
  'Was der Browser speichert.': { testedBy: ['deviceMap'] },
  'Eigene Daten gehen beim Abmelden.': { testedBy: ['namesOnLogout'] },
  '- Personalabrechnung: Personalnummer, Abteilung, Betrag, Zeitraum und eine Belegnummer, ohne Kurs und Anwesenheit': {
    testedBy: ['payrollColumns'],
  },
  '- Rechnungsempfänger und Bank: Rechnung oder Zahlungsauftrag': INFORMATION,
  '- Werkschutz, wo der Zutritt zum Gelände es verlangt: Teilnahmeliste mit Name, Status und Abrechnungsart': {
    testedBy: ['gateList'],
  },
  '- Mailserver der Verantwortlichen; für eingeschaltete Push-Nachrichten der Dienst des Browserherstellers, verschlüsselt, vielleicht außerhalb der EU':
    { testedBy: ['pushContents'] },
  '- andere Programme, die jemand mit dem Recht „Rechte vergeben“ dafür einträgt, mit befristetem Schlüssel; jeder Abruf steht im Profil der Betroffenen':
    { testedBy: ['tokens', 'accessLog'] },
  '- sonst niemand, und niemand in Ländern außerhalb der EU': INFORMATION,
  '- verschlüsselte Übertragung (https); Passwörter nur als Hashwert (Argon2id), Sitzungen und Links ebenso': {
    testedBy: ['https', 'passwordHash', 'secrets'],
  },
  '- am Arbeitsplatz der Abteilung getrennte Rechte, jedes nur mit Passkey, nach 15 Minuten Pause erneut': {
    testedBy: ['departmentOnly', 'deskPasskey'],
  },
  '- ein Protokoll aller Änderungen der Abteilung, dessen Zeilen verkettet sind; ein Prüflauf findet entfernte und geänderte':
    { testedBy: ['auditLog'] },
  '- wer Daten einer Person ansieht, steht in deren Profil': { testedBy: ['accessLog'] },
  '- Begrenzung von Fehlversuchen; Meldung an den Betrieb bei auffälligen Anmeldungen': {
    testedBy: ['guesses', 'risingFailures'],
  },
  '- unterschriebene Sicherungen, nur für das Konto des Portals lesbar; nach dem Zurückspielen werden Löschungen wiederholt':
    { testedBy: ['deletedAgain'] },
}
