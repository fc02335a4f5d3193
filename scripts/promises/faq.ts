import { type ClassifiedSentences, INFORMATION } from './classes.ts'

/** The sentences of src/i18n/de/faq.json. */
export const FAQ: ClassifiedSentences = {
  'Kurze Antworten auf das, was wir am häufigsten gefragt werden.': INFORMATION,
  'Unsere Kurse stehen offen für:': INFORMATION,
  '- Beschäftigte und Auszubildende der {{group}}-Gesellschaften,': { testedBy: ['price'] },
  '- Rentnerinnen und Rentner der Gruppe,': { testedBy: ['price'] },
  '- Mitglieder der {{insurer}} ab 16 Jahren,': { testedBy: ['tooYoung'] },
  '- Beschäftigte der Stadtwerke,': { testedBy: ['price'] },
  '- Externe, solange in einem Kurs Plätze frei sind.': { testedBy: ['externals'] },
  'Beschäftigte einiger Gesellschaften der Gruppe, die außerhalb der Region liegen, können an Onlinekursen teilnehmen.':
    { testedBy: ['onlineOnly'] },
  'In drei Schritten: Zugangsdaten, persönliche Daten, Zugehörigkeit.': INFORMATION,
  'Hier geht es zur [Registrierung](/register1).': INFORMATION,
  'Danach schicken wir Ihnen eine E-Mail mit einem Aktivierungslink.': { testedBy: ['activation'] },
  'Erst wenn Sie ihn öffnen, ist Ihr Konto bestätigt.': { testedBy: ['activation', 'login'] },
  'Nichts angekommen?': INFORMATION,
  'Bitte schauen Sie zuerst im Spam-Ordner nach und fordern Sie die E-Mail dann auf der [Anmeldeseite](/login) neu an, höchstens einmal in der Minute.':
    { testedBy: ['activationAgain'] },
  'Unbestätigte Registrierungen löschen wir nach 2 Wochen.': { testedBy: ['retention'] },
  'Melden Sie sich an, suchen Sie unter [Kurse](/courses) nach Ort, Tag, Kategorie oder Stichwort, und tippen Sie im Kurs auf „Jetzt buchen“.':
    { testedBy: ['search', 'bookedUnderMyCourses'] },
  'Eine Bestätigung kommt per E-Mail, und der Kurs steht unter [Meine Kurse](/courses/booked).': {
    testedBy: ['bookingMail', 'bookedUnderMyCourses'],
  },
  'Vor dem Buchungsstart einer Saison zeigt jeder Kurs einen Countdown nach der Uhr des Portals.': {
    testedBy: ['countdown'],
  },
  'Der Knopf wird von selbst frei; neu laden müssen Sie nicht.': { testedBy: ['countdown'] },
  'Dann kommen Sie auf die Warteliste.': { testedBy: ['waitingList'] },
  'Es gilt die Reihenfolge der Buchungen.': { testedBy: ['order'] },
  'Wird ein Platz frei, rückt die erste Person sofort nach und bekommt eine E-Mail und eine Nachricht im Portal.': {
    testedBy: ['promotion'],
  },
  'Die Warteliste können Sie jederzeit verlassen.': { testedBy: ['waitingLeft'] },
  'Externe können nur freie Plätze buchen und kommen nicht auf die Warteliste.': { testedBy: ['externals'] },
  'Bis zum Ende des 5. Arbeitstags nach Ihrem ersten Termin kostenlos und online: unter [Meine Kurse](/courses/booked) oder auf der Seite des Kurses.':
    { testedBy: ['freeDays', 'seasonFreeDays', 'chargeWithin'] },
  'Danach bitte per E-Mail an [{{email}}](mailto:{{email}}).': { testedBy: ['freeDays'] },
  'Ein kostenpflichtiger Kurs bleibt dann in der Regel zahlungspflichtig.': { testedBy: ['chargeLate'] },
  'Der Preis steht an jedem Kurs.': { testedBy: ['price', 'courseFields'] },
  'Bei manchen Kursen, etwa im Wasser, kommt ein Energiezuschlag dazu; auch er ist ausgewiesen.': {
    testedBy: ['price'],
  },
  '- Beschäftigte und Auszubildende zahlen über ihre Personalnummer.': { testedBy: ['billingChoices'] },
  '- Rentnerinnen und Rentner zahlen über die Personalnummer oder auf Rechnung.': { testedBy: ['billingChoices'] },
  '- Mitglieder der {{insurer}} und Externe zahlen immer, außer bei Kursen, die für alle kostenlos sind: über die Personalnummer einer beschäftigten Person oder auf Rechnung.':
    { testedBy: ['billingChoices', 'price'] },
  '- Beschäftigte der Stadtwerke zahlen auf Rechnung.': { testedBy: ['billingChoices'] },
  'Externe zahlen die am Kurs genannte Kursgebühr für Externe, sonst die Kursgebühr zuzüglich {{surcharge}} Bearbeitungsgebühr.':
    { testedBy: ['externalFee', 'seasonBills'] },
  'Mit der Buchungsbestätigung wird ein kostenpflichtiger Kurs verbindlich.': {
    testedBy: ['bookingBinds', 'bookingMail'],
  },
  'Beschäftigte sowie Rentnerinnen und Rentner können dafür vorgesehene Kurse kostenlos besuchen, wenn sie regelmäßig kommen.':
    { testedBy: ['waiver', 'seasonBills'] },
  'Regelmäßig heißt: mindestens zwei Drittel der Termine ab der eigenen Buchung.': { testedBy: ['seasonBills'] },
  'Im Schichtdienst genügt ein Drittel der Termine, wenn mehr als die Hälfte davon im Zeitraum Ihres anerkannten Nachweises liegt.':
    { testedBy: ['shiftProof'] },
  'Anerkannte Krankmeldungen ab 10 Arbeitstagen entschuldigen die Termine in ihrem Zeitraum.': {
    testedBy: ['sickNotes', 'workingDays'],
  },
  'Beides laden Sie unter [Kosten und Nachweise](/costs) hoch; dort steht auch, was daraus wird.': {
    testedBy: ['proofConsent'],
  },
  'Was Ihre Kurse kosten und was noch offen ist, steht unter [Kosten und Nachweise](/costs).': {
    testedBy: ['ownCosts'],
  },
  'Für ausgefallene Termine, die wir nicht nachholen, zahlen Sie nichts.': {
    testedBy: ['lessonRefund', 'lessonMadeUp'],
  },
  'Mitglieder der {{insurer}} und Externe zahlen auch diese Kurse.': { testedBy: ['waiver', 'price'] },
  'Zertifizierte Kurse sind für Mitglieder der {{insurer}} erstattungsfähig.': INFORMATION,
  'Sie erkennen sie an der Angabe der Zentralen Prüfstelle in den Kursdetails.': { testedBy: ['institute'] },
  'Waren Sie bei mindestens 80 % der Termine da, erhalten Sie als Mitglied mit der Abrechnung nach dem letzten Termin eine Teilnahmebescheinigung unter [Meine Nachrichten](/messages), die Sie bei der Kasse einreichen.':
    { testedBy: ['certificate'] },
  'Andere erhalten sie auf Wunsch von der Abteilung.': { testedBy: ['certificateOnRequest'] },
  'Mit dem QR-Code darauf [prüft](/certificates) die Kasse, dass sie echt ist und noch gilt.': {
    testedBy: ['certificateVerified'],
  },
  'Ein Kurs hat 8 bis 12 Einheiten von 45 bis 90 Minuten, ein- oder zweimal in der Woche.': INFORMATION,
  'In den Oster- und Herbstferien der Region und an Feiertagen finden keine Termine statt.': {
    testedBy: ['holidays', 'clashesAndHolidays'],
  },
  'Alle Termine stehen in den Kursdetails.': { testedBy: ['detailsDates'] },
  'Fällt einer aus, melden wir uns und holen ihn nach Möglichkeit nach.': {
    testedBy: ['lessonCancelled', 'lessonAdded'],
  },
  'Sie buchen wie jeden anderen Kurs.': { testedBy: ['bookedUnderMyCourses'] },
  'Sobald Sie einen Platz haben, sehen Sie in den Kursdetails und unter [Meine Kurse](/courses/booked) den Link, die Meeting-ID und den Kenncode.':
    { testedBy: ['meeting'] },
  'Sie brauchen ein Gerät mit Kamera oder zumindest mit Ton, etwas Platz und eine Matte.': INFORMATION,
  'Ein Passwort hat $t(session:password.rule).': { testedBy: ['passwordRule'] },
  'Vergessen?': INFORMATION,
  'Auf der [Anmeldeseite](/login) bekommen Sie ein neues per E-Mail; es gilt 24 Stunden und nur einmal.': {
    testedBy: ['mailedPassword', 'mailedPasswordEnds'],
  },
  'Ihr [Profil](/edit) ändern Sie selbst.': { testedBy: ['profile'] },
  'Ihre Kursleitung und, wo nötig, der Werkschutz erhalten eine Teilnahmeliste mit Name, Status und Abrechnungsart.': {
    testedBy: ['participantList', 'gateList'],
  },
  'Mehr dazu im [Datenschutzhinweis](/privacy).': INFORMATION,
  'Das Portal können Sie auf den Startbildschirm legen.': { testedBy: ['installable'] },
  'Programm, Infoseiten, Flyer und Alben, die Sie geöffnet haben, sind dann auch ohne Netz da; was gespeichert ist, zeigt [Offline verfügbar](/offline).':
    { testedBy: ['programmeOffline', 'flyersOffline', 'albumsOffline', 'offlineShown'] },
}
