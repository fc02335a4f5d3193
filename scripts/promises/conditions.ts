import { type ClassifiedSentences, INFORMATION } from './classes.ts'

/** The sentences of src/i18n/de/conditions.json. */
export const CONDITIONS: ClassifiedSentences = {
  'Was gilt, wenn Sie einen Kurs bei uns buchen.': INFORMATION,
  'Jetzt registrieren': INFORMATION,
  '- 8 bis 12 Einheiten von 45 bis 90 Minuten, ein- oder zweimal in der Woche': INFORMATION,
  '- kostenlos online stornieren bis 5 Arbeitstage nach Ihrem ersten Termin': { testedBy: ['freeDays'] },
  '- kostenlose Kurse bei regelmäßiger Teilnahme: zwei Drittel der Termine, im Schichtdienst mit Nachweis ein Drittel':
    { testedBy: ['waiver', 'seasonBills', 'shiftProof'] },
  '- Externe: die Kursgebühr für Externe; ist keine genannt, {{surcharge}} Bearbeitungsgebühr je Kurs, außer bei Kursen, die für alle kostenlos sind':
    { testedBy: ['externalFee'] },
  'Diese Bedingungen gelten für alle Kurse, die die {{department}} der {{company}} im Portal {{portal}} anbietet.':
    INFORMATION,
  'Mit der Buchung erkennen Sie sie an.': INFORMATION,
  'Hinweise in der Beschreibung eines Kurses gehen vor.': INFORMATION,
  'Teilnehmen können Beschäftigte, Auszubildende sowie Rentnerinnen und Rentner der {{group}}-Gesellschaften, Mitglieder der {{insurer}} ab 16 Jahren, Beschäftigte der Stadtwerke und, solange Plätze frei sind, Externe.':
    { testedBy: ['tooYoung', 'externals', 'price'] },
  'Mitglieder der {{insurer}} müssen im Jahr des Kursbeginns mindestens 16 Jahre alt werden.': {
    testedBy: ['tooYoung'],
  },
  'Beschäftigte einzelner Gesellschaften der Gruppe außerhalb der Region können ausschließlich Onlinekurse buchen.': {
    testedBy: ['onlineOnly'],
  },
  'Die Teilnahme ist persönlich.': INFORMATION,
  'Ein Platz kann nicht an andere weitergegeben werden.': INFORMATION,
  'Für eine Buchung brauchen Sie ein bestätigtes Konto.': { testedBy: ['login'] },
  'Halten Sie Ihre Angaben aktuell, besonders Status, Gesellschaft und Abrechnungsart: Nach ihnen richten sich Preis und Abrechnung.':
    { testedBy: ['statusKept'] },
  'Wer im Profil noch keine Gesellschaft angegeben hat, wird im Portal darum gebeten.': {
    testedBy: ['divisionMissing'],
  },
  'Kurse sind ab dem im Portal genannten Zeitpunkt bis zum letzten Termin buchbar.': {
    testedBy: ['opening', 'closing'],
  },
  'Plätze werden in der Reihenfolge der Buchungen vergeben.': { testedBy: ['order'] },
  'Die Buchung wird mit der Bestätigung wirksam, die Sie per E-Mail erhalten; ein kostenpflichtiger Kurs ist damit verbindlich gebucht.':
    { testedBy: ['bookingMail', 'bookingBinds'] },
  'Ist ein Kurs voll, führen wir eine Warteliste.': { testedBy: ['waitingList'] },
  'Wird ein Platz frei, rückt die erste Person der Warteliste nach und wird per E-Mail und im Portal benachrichtigt.': {
    testedBy: ['promotion'],
  },
  'Externe werden nicht auf die Warteliste gesetzt.': { testedBy: ['externals'] },
  'Sie können bis zum Ende des 5. Arbeitstags nach Ihrem ersten Termin kostenlos online stornieren.': {
    testedBy: ['freeDays', 'seasonFreeDays'],
  },
  'Wer nach dem Beginn des Kurses bucht oder nachrückt, hat seinen ersten Termin am nächsten Termin des Kurses.': {
    testedBy: ['lateJoiner'],
  },
  'Hat der letzte Termin begonnen, ist online keine Stornierung mehr möglich.': { testedBy: ['noCancelAfterLast'] },
  'Arbeitstage sind Montag bis Freitag ohne die gesetzlichen Feiertage der Region.': { testedBy: ['workingDays'] },
  'Danach ist eine Stornierung nur noch per E-Mail an [{{email}}](mailto:{{email}}) möglich.': {
    testedBy: ['freeDays'],
  },
  'Die Kursgebühr wird dann fällig, wenn kein wichtiger Grund nachgewiesen ist.': { testedBy: ['chargeLate'] },
  'Die Warteliste können Sie jederzeit verlassen.': { testedBy: ['waitingLeft'] },
  'Bitte stornieren Sie, wenn Sie nicht teilnehmen können: Auf Ihren Platz wartet oft jemand.': INFORMATION,
  'Es gelten die im Kurs genannten Preise.': { testedBy: ['price'] },
  'Ein Energiezuschlag wird, wo er anfällt, gesondert ausgewiesen.': { testedBy: ['price'] },
  'Externe zahlen die Kursgebühr für Externe; ist keine genannt, die Kursgebühr zuzüglich {{surcharge}} Bearbeitungsgebühr.':
    { testedBy: ['externalFee'] },
  'Abgerechnet wird nach Status:': INFORMATION,
  '- Beschäftigte und Auszubildende: über die Personalnummer': { testedBy: ['billingChoices'] },
  '- Rentnerinnen und Rentner: über die Personalnummer oder auf Rechnung': { testedBy: ['billingChoices'] },
  '- Mitglieder der {{insurer}} und Externe: über die Personalnummer einer beschäftigten Person mit deren Einverständnis oder auf Rechnung':
    { testedBy: ['billingChoices', 'payerConsent'] },
  '- Stadtwerke: auf Rechnung': { testedBy: ['billingChoices'] },
  'Mitglieder der {{insurer}} und Externe zahlen in jedem Fall, außer bei Kursen, die für alle kostenlos sind.': {
    testedBy: ['price'],
  },
  'Beschäftigte sowie Rentnerinnen und Rentner können dafür vorgesehene Kurse kostenlos besuchen, wenn sie regelmäßig teilnehmen.':
    { testedBy: ['waiver', 'seasonBills'] },
  'Regelmäßig ist eine Teilnahme an mindestens zwei Dritteln der Termine ab der eigenen Buchung.': {
    testedBy: ['seasonBills'],
  },
  'Liegt mehr als die Hälfte dieser Termine im Zeitraum eines anerkannten Schichtnachweises, genügt ein Drittel.': {
    testedBy: ['shiftProof'],
  },
  'Anerkannte Krankmeldungen entschuldigen die Termine in ihrem Zeitraum, wenn sie mindestens 10 Arbeitstage umfassen.':
    { testedBy: ['sickNotes', 'workingDays'] },
  'Nachweise laden Sie unter [Kosten und Nachweise](/costs) hoch; bitte senden Sie sie bis 14 Tage nach dem letzten Termin.':
    { testedBy: ['proofConsent'] },
  'Wird die Grenze nicht erreicht, kann die Kursgebühr nachträglich berechnet werden.': { testedBy: ['seasonBills'] },
  'Maßgeblich ist die Anwesenheit, die die Kursleitung an jedem Termin festhält.': {
    testedBy: ['attendanceCounts', 'waiver'],
  },
  'Kurse mit Zertifizierung der Zentralen Prüfstelle Prävention sind für Mitglieder der {{insurer}} erstattungsfähig.':
    INFORMATION,
  'Über Höhe und Voraussetzungen entscheidet die Kasse.': INFORMATION,
  'Die Teilnahmebescheinigung stellen wir mit der Abrechnung nach dem letzten Termin im Portal bereit, wenn Sie bei mindestens 80 % der Termine da waren; einzelne Kurse können eine andere Grenze haben.':
    { testedBy: ['certificate', 'certificateShare'] },
  'Entschuldigte Termine zählen dafür nicht als besucht.': { testedBy: ['certificate'] },
  'Ein Kurs umfasst 8 bis 12 Einheiten von 45 bis 90 Minuten, ein- oder zweimal in der Woche.': INFORMATION,
  'In den Oster- und Herbstferien der Region sowie an gesetzlichen Feiertagen finden keine Termine statt.': {
    testedBy: ['holidays', 'clashesAndHolidays'],
  },
  'Buchen zu wenige oder fällt die Kursleitung aus, können wir einen Kurs ausfallen lassen, verlegen oder eine Vertretung schicken.':
    { testedBy: ['courseCancelled', 'lessonMoved'] },
  'Wir informieren Sie sofort.': { testedBy: ['lessonCancelled'] },
  'Für ausgefallene Termine, die wir nicht nachholen, zahlen Sie nichts: Ihr Anteil an Kursgebühr und Energiezuschlag wird bei der Abrechnung nach dem letzten Termin abgezogen.':
    { testedBy: ['lessonRefund', 'lessonMadeUp'] },
  'Sie nehmen auf eigene Verantwortung teil.': INFORMATION,
  'Klären Sie bei Vorerkrankungen, nach Operationen oder in der Schwangerschaft bitte vorab ärztlich, ob der Kurs für Sie geeignet ist, und sagen Sie der Kursleitung Bescheid.':
    INFORMATION,
  'Für Garderobe und Wertsachen haften wir nicht.': INFORMATION,
  'Im Übrigen haftet die {{company}} für Vorsatz und grobe Fahrlässigkeit sowie für Schäden an Leben, Körper und Gesundheit nach dem Gesetz.':
    INFORMATION,
  'Kurse sind Freizeit, keine Arbeitszeit.': INFORMATION,
  'Bitte folgen Sie den Regeln der Halle oder des Bades und den Anweisungen der Kursleitung.': INFORMATION,
  'Für Kurse auf dem Werksgelände brauchen Sie einen Werksausweis; Externe werden mit der Teilnahmeliste beim Werkschutz angemeldet.':
    { testedBy: ['gateList'] },
  'Die Kursleitung und, wo der Zutritt es verlangt, der Werkschutz erhalten Teilnahmelisten mit Name, Status und Abrechnungsart.':
    { testedBy: ['participantList', 'gateList'] },
  'Alles Weitere steht im [Datenschutzhinweis](/privacy).': INFORMATION,
  'Fotos veröffentlichen wir nur mit Einwilligung.': INFORMATION,
  'Bilder einzelner Kurse sehen nur deren Teilnehmende.': { testedBy: ['courseAlbums'] },
}
