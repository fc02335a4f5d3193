import { type Classified, INFORMATION } from './classes.ts'

/** The sentences of src/i18n/de/privacy.json. */
export const PRIVACY: Classified = {
  'Stand: August 2024': INFORMATION,
  'Welche Daten wir verarbeiten, wozu, wie lange, und was Sie dazu sagen können.': INFORMATION,
  'Verantwortlich für die Verarbeitung Ihrer Daten in diesem Portal ist die {{company}}, {{address}}, vertreten durch den Vorstand, hier die {{department}}.':
    INFORMATION,
  'Telefon {{phone}}, E-Mail [{{email}}](mailto:{{email}}).': INFORMATION,
  'Fragen zum Datenschutz beantwortet {{officer}}, erreichbar unter [{{privacyEmail}}](mailto:{{privacyEmail}}).':
    INFORMATION,
  'Dieser Hinweis gilt für die Website und für die auf Ihrem Gerät installierte App.': INFORMATION,
  'Beim Aufruf verarbeitet unser Server die technisch nötigen Angaben: IP-Adresse, Zeitpunkt, angefragte Adresse, Ergebnis und Dauer der Anfrage.':
    INFORMATION,
  'Wir brauchen sie, um das Portal auszuliefern, Störungen zu finden und Angriffe abzuwehren.': INFORMATION,
  'IP-Adressen in Serverprotokollen löschen wir nach 7 Tagen.': { heldBy: ['retention', 'loggedAddresses'] },
  'Wir messen keine Reichweite, binden keine Inhalte fremder Anbieter ein und bilden keine Profile.': {
    heldBy: ['foreignOrigins'],
  },
  'Schriften, Bilder und Programme kommen von unserem eigenen Server.': { heldBy: ['foreignOrigins'] },
  'Stößt die App auf einen Fehler, meldet sie uns Fehlertext, Programmstelle und aufgerufene Seite, ohne Namen und ohne Zugangsdaten.':
    { heldBy: ['errorReports'] },
  'Das Portal speichert auf Ihrem Gerät nur, was es zum Funktionieren braucht.': { heldBy: ['deviceMap'] },
  'Was davon ohne Netz lesbar ist, zeigt und löscht [Offline verfügbar](/offline).': { heldBy: ['offlineShown'] },
  'Namen von Teilnehmenden verschwinden spätestens 48 Stunden nach dem Termin und beim Abmelden; noch nicht gesendete Häkchen bleiben ohne Namen, bis der Server sie hat.':
    { heldBy: ['namesOnDevice', 'namesOnLogout', 'ticksOnDevice'] },
  'Für Ihr Konto verarbeiten wir E-Mail-Adresse, Passwort, Anrede, Titel, Vor- und Nachname und Ihren Status.': {
    heldBy: ['dataMap'],
  },
  'Je nach Status kommen hinzu:': INFORMATION,
  '- Beschäftigte: Personalnummer, Abteilung, Firmenanschrift, Standort, Gesellschaft, Geburtsjahr': {
    heldBy: ['groupFields'],
  },
  '- Auszubildende: Personalnummer, Gesellschaft': { heldBy: ['groupFields'] },
  '- Rentnerinnen und Rentner: Firmenanschrift, Personalnummer, Abrechnungsart, Anschrift, Geburtsjahr, Gesellschaft': {
    heldBy: ['groupFields'],
  },
  '- Mitglieder der {{insurer}}: Versichertennummer, Abrechnungsart, Anschrift, Geburtsjahr': {
    heldBy: ['groupFields'],
  },
  '- Stadtwerke und Externe: Abrechnungsart, Anschrift, Geburtsjahr': { heldBy: ['groupFields'] },
  '- bei Abrechnung über eine andere Person: deren Personalnummer': { heldBy: ['groupFields'] },
  'Alle Angaben, die ein Profil haben kann: {{fields}}.': { heldBy: ['dataMap'] },
  'Telefonnummern sind freiwillig.': { heldBy: ['groupFields'] },
  'Versicherten- und Personalnummern sehen nur die Abrechnung und Sie selbst, niemals die Kursleitung.': {
    notKeptYet: ['numbers'],
  },
  'Die Versichertennummer kann etwas über Ihre Gesundheitsvorsorge sagen.': INFORMATION,
  'Wir verarbeiten sie nur, wenn Sie sich als Mitglied der {{insurer}} anmelden und sie dazu angeben, mit Ihrer ausdrücklichen Einwilligung (Art. 9 Abs. 2 Buchst. a DSGVO).':
    { heldBy: ['groupFields'], notKeptYet: ['consent'] },
  'Sie nehmen sie zurück, indem Sie Ihren Status im [Profil](/edit) ändern.': { heldBy: ['groupData'] },
  'Ein Passwort hat $t(session:password.rule).': { heldBy: ['passwordRule'] },
  'Leicht zu erratende Passwörter lehnen wir ab.': { heldBy: ['passwordGuessable'] },
  'Gespeichert wird nur ein Hashwert (Argon2id), aus dem sich das Passwort nicht zurückrechnen lässt.': {
    heldBy: ['passwordHash', 'secrets'],
  },
  'Nach mehreren Fehlversuchen sperren wir die Anmeldung für kurze Zeit.': { heldBy: ['guesses'] },
  'Zu jeder Buchung speichern wir Kurs, Zeitpunkt, Nummer auf der Warteliste, Stornierung und Ihre Anwesenheit an den Terminen.':
    { heldBy: ['dataMap'] },
  'Die Anwesenheit entscheidet darüber, ob die Kursgebühr entfällt, und über die Teilnahmebescheinigung.': {
    heldBy: ['waiver'],
    notKeptYet: ['certificate'],
  },
  'Bei Gesundheitskursen sagt sie auch etwas über Ihre Gesundheit; wir verarbeiten sie dort mit der Einwilligung, die Sie mit der Buchung geben (Art. 9 Abs. 2 Buchst. a DSGVO).':
    { notKeptYet: ['consent'] },
  'Die Kursleitung und, wo der Zutritt zum Gelände es verlangt, der Werkschutz erhalten eine Teilnahmeliste mit Name, Status und Abrechnungsart.':
    { notKeptYet: ['participantList', 'gateList'] },
  'Die Kursleitung sieht Namen bis 8 Wochen nach dem letzten Termin.': { heldBy: ['namesEnd'] },
  'Zur Abrechnung gehen die nötigen Angaben an die Personalabrechnung oder die Rechnungsstelle der Gruppe.': {
    heldBy: ['payroll'],
  },
  'Tippt eine Kursleitung an, wer da war, speichern wir den Zeitpunkt auf die Sekunde, damit von zwei Eintragungen die spätere gilt.':
    { heldBy: ['tickOrder'] },
  'Nach 14 Tagen bleibt davon nur der Tag.': { heldBy: ['tickTime'] },
  'Ausgewertet wird nicht, wer wann eingetragen hat.': INFORMATION,
  'Zu Buchung, Warteliste, Nachrücken, Stornierung und Passwort schicken wir Ihnen E-Mails.': {
    heldBy: ['bookingMail', 'waitingList', 'promotion', 'passwordChanged'],
  },
  'Empfänger und Inhalt bleiben 6 Monate gespeichert, auch dort, wo E-Mails als Dateien auf dem Server abgelegt werden.':
    { heldBy: ['retention', 'mailFiles'] },
  'Passwörter und Links stehen nur in der E-Mail selbst.': { heldBy: ['mailSecrets'] },
  'Nachrichten und Dokumente finden Sie im Portal.': { heldBy: ['inbox'] },
  'Schreiben oder rufen Sie uns an, verarbeiten wir Ihre Angaben, um zu antworten, und löschen sie nach etwa 6 Monaten, wenn nichts anderes sie noch erfordert.':
    INFORMATION,
  'Fotos veröffentlichen wir nur mit Einwilligung, die Sie jederzeit für die Zukunft widerrufen können.': INFORMATION,
  'Bilder einzelner Kurse sehen nur deren Teilnehmende.': { heldBy: ['courseAlbums'] },
  '- Konto, Buchung und Abrechnung: Vertrag (Art. 6 Abs. 1 Buchst. b DSGVO)': INFORMATION,
  '- Serverprotokolle, Fehlerberichte, Zutrittslisten, Schutz vor fremden Anmeldungen: berechtigtes Interesse an einem sicheren Betrieb (Buchst. f)':
    INFORMATION,
  '- Aufbewahrung von Rechnungen: gesetzliche Pflicht (Buchst. c)': INFORMATION,
  '- Fotos, Profile der Kursleitungen und freiwillige Angaben: Einwilligung (Buchst. a)': INFORMATION,
  '- Versichertennummer und Anwesenheit in Gesundheitskursen: dazu ausdrückliche Einwilligung (Art. 9 Abs. 2 Buchst. a)':
    { notKeptYet: ['consent'] },
  '- IP-Adressen in Serverprotokollen: 7 Tage': { heldBy: ['retention', 'loggedAddresses'] },
  '- Kontaktanfragen: etwa 6 Monate': INFORMATION,
  '- unbestätigte Registrierungen: 2 Wochen': { heldBy: ['retention'] },
  '- Konten ohne eine einzige Buchung: 2 Jahre': { heldBy: ['retention'] },
  '- frühere Teilnehmende ohne neue Buchung: 10 Jahre': { heldBy: ['retention'] },
  'Danach werden die Daten gelöscht.': { heldBy: ['retentionMap'] },
  'Ihr Konto löschen Sie auch selbst, im [Profil](/edit): Frühere Buchungen und Anwesenheiten zählen dann ohne Ihren Namen weiter; zu bezahlten Kursen bleiben Name, Anschrift, Betrag und Datum getrennt davon 10 Jahre ab der Buchung, alles andere geht sofort.':
    { heldBy: ['accountDeleted'] },
  'In Sicherungskopien stehen gelöschte Daten, bis die Kopie überschrieben ist.': INFORMATION,
  'Im Einzelnen:': { heldBy: ['dataMap', 'dataMapShown', 'retentionMap'] },
  'Sie können Auskunft, Berichtigung, Löschung, Einschränkung und Übertragung Ihrer Daten verlangen, einer Verarbeitung aus berechtigtem Interesse widersprechen und Einwilligungen widerrufen.':
    INFORMATION,
  'Ihre Daten laden Sie im [Profil](/edit) selbst herunter, und dort löschen Sie auch Ihr Konto.': {
    heldBy: ['accountDownloaded'],
  },
  'Sie können sich außerdem bei einer Aufsichtsbehörde beschweren, etwa bei der Landesbeauftragten für den Datenschutz Ihres Bundeslandes.':
    INFORMATION,
  'Eine automatisierte Entscheidung im Einzelfall findet nicht statt, und wir geben keine Daten in Länder außerhalb der EU.':
    { heldBy: ['foreignOrigins'] },
  'Das Portal ist dafür gemacht, verschlüsselt (https) aufgerufen zu werden; Ihr Browser zeigt es an.': {
    heldBy: ['https'],
  },
  'Zugriff auf personenbezogene Daten haben nur Menschen, die ihn für ihre Aufgabe brauchen.': {
    heldBy: ['departmentOnly', 'teachers'],
  },
  'Sitzungen werden auf dem Server nur als Hashwert gespeichert.': { heldBy: ['secrets'] },
}
