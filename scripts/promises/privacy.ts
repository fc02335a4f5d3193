import { type ClassifiedSentences, INFORMATION } from './classes.ts'

/** The sentences of src/i18n/de/privacy.json. */
export const PRIVACY: ClassifiedSentences = {
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
  'IP-Adressen in Serverprotokollen löschen wir nach 7 Tagen.': { testedBy: ['retention', 'loggedAddresses'] },
  'Wir messen keine Reichweite, binden keine Inhalte fremder Anbieter ein und bilden keine Profile.': {
    testedBy: ['foreignOrigins'],
  },
  'Schriften, Bilder und Programme kommen von unserem eigenen Server.': { testedBy: ['foreignOrigins'] },
  'Stößt die App auf einen Fehler, meldet sie uns Fehlertext, Programmstelle und aufgerufene Seite, ohne Namen und ohne Zugangsdaten.':
    { testedBy: ['errorReports'] },
  'Das Portal speichert auf Ihrem Gerät nur, was es zum Funktionieren braucht.': { testedBy: ['deviceMap'] },
  'Was davon ohne Netz lesbar ist, zeigt und löscht [Offline verfügbar](/offline).': { testedBy: ['offlineShown'] },
  'Namen von Teilnehmenden verschwinden beim Abmelden und 48 Stunden nach dem Termin, sobald das Gerät danach den Server erreicht und alle Häkchen der Liste gesendet sind; nach dem Abmelden bleiben nicht gesendete Häkchen ohne Namen, bis der Server sie hat.':
    { testedBy: ['namesOnDevice', 'namesOnLogout', 'ticksOnDevice'] },
  'Für Ihr Konto verarbeiten wir E-Mail-Adresse, Passwort, Anrede, Titel, Vor- und Nachname und Ihren Status.': {
    testedBy: ['dataMap'],
  },
  'Je nach Status kommen hinzu:': INFORMATION,
  '- Beschäftigte: Personalnummer, Abteilung, Firmenanschrift, Standort, Gesellschaft, Geburtsjahr': {
    testedBy: ['groupFields'],
  },
  '- Auszubildende: Personalnummer, Gesellschaft': { testedBy: ['groupFields'] },
  '- Rentnerinnen und Rentner: Firmenanschrift, Personalnummer, Abrechnungsart, Anschrift, Geburtsjahr, Gesellschaft': {
    testedBy: ['groupFields'],
  },
  '- Mitglieder der {{insurer}}: Versichertennummer, Abrechnungsart, Anschrift, Geburtsjahr': {
    testedBy: ['groupFields'],
  },
  '- Stadtwerke und Externe: Abrechnungsart, Anschrift, Geburtsjahr': { testedBy: ['groupFields'] },
  '- bei Abrechnung über eine andere Person: deren Personalnummer': { testedBy: ['groupFields'] },
  'Alle Angaben, die ein Profil haben kann: {{fields}}.': { testedBy: ['dataMap'] },
  'Telefonnummern sind freiwillig.': { testedBy: ['groupFields'] },
  'Die Versichertennummer sehen nur die Abrechnung und Sie selbst.': { testedBy: ['insuranceNumber'] },
  'Die Personalnummer sieht auch, wer in der Abteilung Buchungen bearbeitet.': INFORMATION,
  'Die Kursleitung sieht beide niemals.': { testedBy: ['instructorNumbers'] },
  'Die Versichertennummer kann etwas über Ihre Gesundheitsvorsorge sagen.': INFORMATION,
  'Wir verarbeiten sie nur, wenn Sie sich als Mitglied der {{insurer}} anmelden und sie dazu angeben, mit Ihrer ausdrücklichen Einwilligung (Art. 9 Abs. 2 Buchst. a DSGVO).':
    { testedBy: ['groupFields', 'insuranceConsent'] },
  'Im [Profil](/edit) steht, wann Sie welchem Text zugestimmt haben; dort ziehen Sie die Einwilligung auch zurück, und wir löschen die Nummer.':
    { testedBy: ['insuranceConsent', 'consentsShown'] },
  'Trägt die Abteilung sie für Sie ein, fragt sie Sie vorher nach der Einwilligung; im Profil steht diese, sobald Sie es speichern.':
    { testedBy: ['insuranceByDepartment'] },
  'Ändern Sie Ihren Status, löschen wir sie ebenso.': { testedBy: ['groupData'] },
  'Ein Passwort hat $t(session:password.rule).': { testedBy: ['passwordRule'] },
  'Leicht zu erratende Passwörter lehnen wir ab.': { testedBy: ['passwordGuessable'] },
  'Gespeichert wird nur ein Hashwert (Argon2id), aus dem sich das Passwort nicht zurückrechnen lässt.': {
    testedBy: ['passwordHash', 'secrets'],
  },
  'Nach mehreren Fehlversuchen sperren wir die Anmeldung für kurze Zeit.': { testedBy: ['guesses'] },
  'Zu jeder Buchung speichern wir Kurs, Zeitpunkt, Nummer auf der Warteliste, Stornierung und Ihre Anwesenheit an den Terminen.':
    { testedBy: ['dataMap'] },
  'Die Anwesenheit entscheidet darüber, ob die Kursgebühr entfällt, und über die Teilnahmebescheinigung.': {
    testedBy: ['waiver', 'certificate'],
  },
  'Bei Gesundheitskursen sagt sie auch etwas über Ihre Gesundheit; dort bittet die Buchung einmal um Ihre ausdrückliche Einwilligung (Art. 9 Abs. 2 Buchst. a DSGVO).':
    { testedBy: ['bookingConsent'] },
  'Hat die Abteilung für Sie gebucht, geben Sie sie im [Profil](/edit).': { testedBy: ['consentsShown'] },
  'Ziehen Sie sie dort zurück, löschen wir Ihre Anwesenheit in Gesundheitskursen, die nicht abgerechnet sind, und speichern keine weitere.':
    { testedBy: ['attendanceConsent'] },
  'Die Kursleitung und, wo der Zutritt zum Gelände es verlangt, der Werkschutz erhalten eine Teilnahmeliste mit Name, Status und Abrechnungsart.':
    { testedBy: ['participantList', 'gateList'] },
  'Die Kursleitung sieht Namen bis 8 Wochen nach dem letzten Termin.': { testedBy: ['namesEnd'] },
  'Zur Abrechnung gehen die nötigen Angaben an die Personalabrechnung oder die Rechnungsstelle der Gruppe.': {
    testedBy: ['payroll'],
  },
  'Nachweise über Krankheit oder Schichtdienst, die Sie hochladen, sieht außer Ihnen nur die Abrechnung.': {
    testedBy: ['proofSeenBy'],
  },
  'Eine Krankmeldung verarbeiten wir nur mit der ausdrücklichen Einwilligung, die Sie beim Senden geben (Art. 9 Abs. 2 Buchst. a DSGVO).':
    { testedBy: ['proofConsent'] },
  'Unter [Kosten und Nachweise](/costs) steht, wann Sie welchem Text zugestimmt haben; dort ziehen Sie die Einwilligung auch zurück, und wir löschen die Datei.':
    {
      testedBy: ['consentWithdrawn'],
    },
  'Bis zur Entscheidung löschen Sie Nachweise unter [Kosten und Nachweise](/costs) selbst; 4 Wochen nach der Entscheidung löschen wir die Datei.':
    { testedBy: ['proofConsent', 'retention'] },
  'Tippt eine Kursleitung an, wer da war, speichern wir den Zeitpunkt auf die Sekunde, damit von zwei Eintragungen die spätere gilt.':
    { testedBy: ['tickOrder'] },
  'Nach 14 Tagen bleibt davon nur der Tag.': { testedBy: ['tickTime'] },
  'Ausgewertet wird nicht, wer wann eingetragen hat.': INFORMATION,
  'Zu Buchung, Warteliste, Nachrücken, Stornierung und Passwort schicken wir Ihnen E-Mails.': {
    testedBy: ['bookingMail', 'waitingList', 'promotion', 'passwordChanged'],
  },
  'Empfänger und Inhalt bleiben 6 Monate gespeichert, auch dort, wo E-Mails als Dateien auf dem Server abgelegt werden.':
    { testedBy: ['retention', 'mailFiles'] },
  'Passwörter und Links stehen nur in der E-Mail selbst.': { testedBy: ['mailSecrets'] },
  'Nachrichten und Dokumente finden Sie im Portal.': { testedBy: ['inbox'] },
  'Schreiben oder rufen Sie uns an, verarbeiten wir Ihre Angaben, um zu antworten, und löschen sie nach etwa 6 Monaten, wenn nichts anderes sie noch erfordert.':
    INFORMATION,
  'Fotos veröffentlichen wir nur mit Einwilligung, die Sie jederzeit für die Zukunft widerrufen können.': INFORMATION,
  'Bilder einzelner Kurse sehen nur deren Teilnehmende.': { testedBy: ['courseAlbums'] },
  '- Konto, Buchung und Abrechnung: Vertrag (Art. 6 Abs. 1 Buchst. b DSGVO)': INFORMATION,
  '- Serverprotokolle, Fehlerberichte, Zutrittslisten, Schutz vor fremden Anmeldungen: berechtigtes Interesse an einem sicheren Betrieb (Buchst. f)':
    INFORMATION,
  '- Aufbewahrung von Rechnungen: gesetzliche Pflicht (Buchst. c)': INFORMATION,
  '- Fotos, Profile der Kursleitungen und freiwillige Angaben: Einwilligung (Buchst. a)': INFORMATION,
  '- Versichertennummer, Krankmeldungen und Anwesenheit in Gesundheitskursen: dazu ausdrückliche Einwilligung (Art. 9 Abs. 2 Buchst. a)':
    { testedBy: ['insuranceConsent', 'bookingConsent', 'proofConsent'] },
  '- IP-Adressen in Serverprotokollen: 7 Tage': { testedBy: ['retention', 'loggedAddresses'] },
  '- Kontaktanfragen: etwa 6 Monate': INFORMATION,
  '- unbestätigte Registrierungen: 2 Wochen': { testedBy: ['retention'] },
  '- Konten ohne eine einzige Buchung: 2 Jahre': { testedBy: ['retention'] },
  '- frühere Teilnehmende ohne neue Buchung: 10 Jahre': { testedBy: ['retention'] },
  'Danach werden die Daten gelöscht.': { testedBy: ['retentionMap'] },
  'Ihr Konto löschen Sie auch selbst, im [Profil](/edit): Frühere Buchungen und Anwesenheiten zählen dann ohne Ihren Namen weiter; zu bezahlten Kursen bleiben Name, Anschrift, Betrag und Datum getrennt davon 10 Jahre ab der Buchung, bei offenen Beträgen mindestens bis zur Zahlung, alles andere geht sofort.':
    { testedBy: ['accountDeleted', 'unpaidKept'] },
  'In Sicherungskopien stehen gelöschte Daten, bis die Kopie überschrieben ist.': INFORMATION,
  'Im Einzelnen:': { testedBy: ['dataMap', 'dataMapShown', 'retentionMap'] },
  'Sie können Auskunft, Berichtigung, Löschung, Einschränkung und Übertragung Ihrer Daten verlangen, einer Verarbeitung aus berechtigtem Interesse widersprechen und Einwilligungen widerrufen.':
    INFORMATION,
  'Ihre Daten laden Sie im [Profil](/edit) selbst herunter, und dort löschen Sie auch Ihr Konto.': {
    testedBy: ['accountDownloaded'],
  },
  'Sie können sich außerdem bei einer Aufsichtsbehörde beschweren, etwa bei der Landesbeauftragten für den Datenschutz Ihres Bundeslandes.':
    INFORMATION,
  'Eine automatisierte Entscheidung im Einzelfall findet nicht statt, und wir geben keine Daten in Länder außerhalb der EU.':
    { testedBy: ['foreignOrigins'] },
  'Eine Ausnahme sind Push-Nachrichten, wenn Sie sie einschalten: Sie gehen verschlüsselt über den Dienst des Herstellers Ihres Browsers (zum Beispiel Google, Apple, Mozilla oder Microsoft), und der kann außerhalb der EU stehen.':
    { testedBy: ['pushContents'] },
  'Das Portal ist dafür gemacht, verschlüsselt (https) aufgerufen zu werden; Ihr Browser zeigt es an.': {
    testedBy: ['https'],
  },
  'Zugriff auf personenbezogene Daten haben nur Menschen, die ihn für ihre Aufgabe brauchen.': {
    testedBy: ['departmentOnly', 'teachers'],
  },
  'Sitzungen werden auf dem Server nur als Hashwert gespeichert.': { testedBy: ['secrets'] },
}
