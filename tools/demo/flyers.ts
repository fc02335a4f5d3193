// The flyers of the information page, each in German and English.
import { bullets, type Content, heading, note, type Paper, paragraph, steps, table } from './paper.ts'

type Pair = { de: string; en: string; papers: [Paper, Paper] }
const columns = (left: Content[], right: Content[]): Content => ({ columns: [{ stack: left, width: '*' }, { stack: right, width: '*' }], columnGap: 26 })

const winter: Pair = {
  de: 'gesund-durch-den-winter.pdf', en: 'healthy-through-winter.pdf',
  papers: [
    {
      language: 'de', kicker: 'Werksport · Flyer', title: 'Gesund durch\nden Winter', lead: 'Licht, Schlaf, Suppe, Bewegung: vier Stellschrauben gegen graue Monate.', ground: '#1f6fae',
      content: [
        ...steps([
          ['30', 'Minuten Tageslicht', 'Auch ein bedeckter Himmel ist zehnmal heller als die Werkhalle. Gehen Sie mittags einmal um den Block oder zweimal um das gelbe Pumpenrad.'],
          ['7', 'Stunden Schlaf, möglichst am Stück', 'Im Schichtdienst hilft ein festes Ritual mehr als eine feste Uhrzeit: Licht dimmen, Telefon weg, Raum auf 18 Grad.'],
          ['5', 'Hände voll Gemüse', 'Suppe zählt. Eintopf auch. Ketchup leider nicht.'],
          ['2', 'feste Sporttermine in der Woche', 'Wer einen Kurs bucht, geht doppelt so oft hin wie jemand, der es sich nur vornimmt. Das gilt auch für uns.'],
        ], '#1f6fae'),
        heading('Wochenplan zum Ausschneiden', '#1f6fae'),
        table([70, '*', '*', '*'], ['', 'Frühschicht', 'Spätschicht', 'Büro'], [
          ['Mo', 'Rückenfit, 17:30', 'Spaziergang, 11:00', 'Aktive Pause, 12:00'], ['Di', 'Rückenfit, 14:30', 'Pilates, 07:00', 'Treppe statt Aufzug'], ['Mi', 'Suppe kochen', 'Yoga online, 12:00', 'Aqua, 19:00'], ['Do', 'Qigong, 12:15', 'Walking, 10:00', 'Lauftreff, 17:00'], ['Fr', 'Wassergymnastik', 'Ausschlafen', 'Tanzen, 19:30'],
        ], '#1f6fae'),
        { text: '', pageBreak: 'after' },
        heading('Schnupfen oder Pause?', '#1f6fae'),
        columns(
          [paragraph({ text: 'Bewegung ist in Ordnung', bold: true }), bullets(['bei Kratzen im Hals ohne Fieber', 'bei leichtem Schnupfen, an der frischen Luft', 'zwei Tage nach dem letzten Fieber, mit halber Kraft'])],
          [paragraph({ text: 'Bitte pausieren', bold: true }), bullets(['bei Fieber, Gliederschmerzen oder Husten aus der Tiefe', 'bei Ruhepuls 10 Schläge über normal', 'immer, wenn die Ärztin es sagt'])],
        ),
        heading('Drei Suppen, die sich in der Werksmikrowelle benehmen', '#1f6fae'),
        ...steps([
          ['1', 'Rote Linsen & Möhre', '200 g Linsen, 4 Möhren, 1 l Brühe, Kreuzkümmel: 20 Minuten kochen, Zitrone dazu. Hält vier Tage.'],
          ['2', 'Kartoffel, Lauch, Apfel', '600 g Kartoffeln, 2 Stangen Lauch, 1 Apfel, 1 l Brühe: weich kochen, halb pürieren. Der Apfel ist das Geheimnis.'],
          ['3', 'Kohl ohne Kummer', 'Ein halber Weißkohl, Kümmel, Paprikapulver, Tomaten: 40 Minuten. Am zweiten Tag besser, am dritten am besten.'],
        ], '#1f6fae'),
        note('Ihr nächster Schritt', 'Im Portal unter „Kurse“ nach „Winter“ filtern, einen Termin aussuchen, buchen. Stornieren können Sie kostenlos bis zum 5. Arbeitstag nach Ihrem ersten Termin, aber das werden Sie nicht wollen.'),
      ],
    },
    {
      language: 'en', kicker: 'Werksport · Flyer', title: 'Healthy through\nwinter', lead: 'Light, sleep, soup, movement: four levers against grey months.', ground: '#1f6fae',
      content: [
        ...steps([
          ['30', 'minutes of daylight', 'Even an overcast sky is ten times brighter than the shop floor. Walk once around the block at lunchtime, or twice around the yellow pump wheel.'],
          ['7', 'hours of sleep, preferably in one piece', 'On shifts, a fixed ritual helps more than a fixed hour: dim the lights, put the phone away, cool the room to 18 degrees.'],
          ['5', 'handfuls of vegetables', 'Soup counts. So does stew. Ketchup, sadly, does not.'],
          ['2', 'fixed dates with sport each week', 'People who book a course turn up twice as often as people who merely mean to. We speak from experience.'],
        ], '#1f6fae'),
        heading('A weekly plan to cut out', '#1f6fae'),
        table([70, '*', '*', '*'], ['', 'Early shift', 'Late shift', 'Office'], [
          ['Mon', 'Back fitness, 17:30', 'A walk, 11:00', 'Active break, 12:00'], ['Tue', 'Back fitness, 14:30', 'Pilates, 07:00', 'Stairs, not lifts'], ['Wed', 'Make soup', 'Yoga online, 12:00', 'Aqua, 19:00'], ['Thu', 'Qigong, 12:15', 'Walking, 10:00', 'Running group, 17:00'], ['Fri', 'Aqua gymnastics', 'Sleep in', 'Dancing, 19:30'],
        ], '#1f6fae'),
        { text: '', pageBreak: 'after' },
        heading('A cold, or a break?', '#1f6fae'),
        columns(
          [paragraph({ text: 'Moving is fine', bold: true }), bullets(['with a scratchy throat but no fever', 'with a light cold, in the fresh air', 'two days after the last fever, at half strength'])],
          [paragraph({ text: 'Please rest', bold: true }), bullets(['with fever, aching limbs or a deep cough', 'if your resting pulse is 10 beats above normal', 'whenever your doctor says so'])],
        ),
        heading('Three soups that behave in the works microwave', '#1f6fae'),
        ...steps([
          ['1', 'Red lentil and carrot', '200 g lentils, 4 carrots, 1 l stock, cumin: simmer for 20 minutes, add lemon. Keeps for four days.'],
          ['2', 'Potato, leek, apple', '600 g potatoes, 2 leeks, 1 apple, 1 l stock: cook until soft, blend half. The apple is the secret.'],
          ['3', 'Cabbage without sorrow', 'Half a white cabbage, caraway, paprika, tomatoes: 40 minutes. Better on day two, best on day three.'],
        ], '#1f6fae'),
        note('Your next step', 'Filter the courses by “Winter”, pick a time, book. You can cancel free of charge until the 5th working day after the first lesson, but you will not want to.'),
      ],
    },
  ],
}

const band: Pair = {
  de: 'ruecken-am-band.pdf', en: 'backs-at-the-line.pdf',
  papers: [
    {
      language: 'de', kicker: 'Werksport · Flyer für die Werkbank', title: 'Rücken am Band', lead: 'Fünf Übungen, jede unter einer Minute, in Sicherheitsschuhen erprobt.', ground: '#c2410c',
      content: [
        ...steps([
          ['1', 'Der Kran', 'Arme über Kopf, Hände greifen abwechselnd nach oben, als hinge dort der Schlüssel. 10 Mal je Seite.'],
          ['2', 'Die Winde', 'Hände auf die Schultern, Oberkörper langsam nach links und rechts drehen. Das Becken bleibt, wo es ist. 8 Mal.'],
          ['3', 'Der Schraubstock', 'Schulterblätter hinten zusammenziehen, drei Sekunden halten, lösen. 10 Mal. Niemand sieht es, alle merken es.'],
          ['4', 'Die Kniehebepumpe', 'Im Stand ein Knie bis Hüfthöhe heben, Bauch fest, absetzen. 10 Mal je Seite, an der Werkbank festhalten erlaubt.'],
          ['5', 'Das Überdruckventil', 'Tief einatmen, Schultern hochziehen, mit hörbarem Ausatmen fallen lassen. 5 Mal, bei Bedarf öfter.'],
        ], '#c2410c'),
        heading('So hebt man eine Pumpe', '#c2410c'),
        columns([bullets(['nah heran, Füße hüftbreit', 'Hüfte tief, Brust offen', 'ausatmen beim Anheben'])], [bullets(['mit den Füßen drehen, nicht mit dem Rücken', 'ab 25 Kilogramm zu zweit oder mit Hebehilfe', 'absetzen wie eine Tasse Kaffee'])]),
        note('Mehr davon?', '„Heben wie ein Profi“ und „Rückenfit nach der Frühschicht“ finden Sie im Portal unter Fitness. Zertifizierte Rückenschulen erstattet die BKK Fennmark ihren Versicherten.'),
      ],
    },
    {
      language: 'en', kicker: 'Werksport · Flyer for the workbench', title: 'Backs at the line', lead: 'Five exercises, each under a minute, tested in safety shoes.', ground: '#c2410c',
      content: [
        ...steps([
          ['1', 'The crane', 'Arms overhead, hands reaching up in turn as if the spanner were hanging there. 10 times each side.'],
          ['2', 'The winch', 'Hands on shoulders, slowly turn your upper body left and right. The hips stay put. 8 times.'],
          ['3', 'The vice', 'Draw your shoulder blades together, hold for three seconds, release. 10 times. Nobody sees it, everybody feels it.'],
          ['4', 'The knee-lift pump', 'Standing, raise one knee to hip height, belly firm, lower. 10 times each side; holding on to the bench is allowed.'],
          ['5', 'The relief valve', 'Breathe in deeply, pull up your shoulders, let them drop with an audible sigh. 5 times, more if required.'],
        ], '#c2410c'),
        heading('How to lift a pump', '#c2410c'),
        columns([bullets(['get close, feet hip-width apart', 'hips low, chest open', 'breathe out as you lift'])], [bullets(['turn with your feet, not with your back', 'from 25 kilograms: two people or a lifting aid', 'set it down like a cup of coffee'])]),
        note('Want more?', 'You will find “Lift like a pro” and “Back fitness after the early shift” in the portal under Fitness. BKK Fennmark refunds certified back schools to its members.'),
      ],
    },
  ],
}

const pause: Pair = {
  de: 'pausenexpress.pdf', en: 'break-express.pdf',
  papers: [
    {
      language: 'de', kicker: 'Werksport · Flyer für den Schreibtisch', title: 'Pausenexpress', lead: 'Sieben Minuten, acht Halte. Bitte einsteigen, Türen schließen selbsttätig.', ground: '#5a4b9a', size: 12,
      content: [
        heading('Fahrplan', '#5a4b9a'),
        table([52, 130, '*'], ['Minute', 'Halt', 'Was zu tun ist'], [
          ['0:00', 'Fensterstraße', 'Aufstehen, zum Fenster, zwanzig Sekunden in die Ferne sehen. Die Augen fahren zuerst ab.'],
          ['1:00', 'Nackenring', 'Kinn zum Brustbein, Ohr zur Schulter, langsam, ohne Kreisen. Je Seite drei Atemzüge.'],
          ['2:00', 'Schulterhöhe', 'Schultern hochziehen, nach hinten rollen, fallen lassen. Zehn Runden.'],
          ['3:00', 'Brustkorb Mitte', 'Hände hinter den Kopf, Ellbogen weit, auf dem Stuhl nach links und rechts drehen.'],
          ['4:00', 'Hüftbeuge', 'Großer Ausfallschritt, Becken sinken lassen, je Seite dreißig Sekunden.'],
          ['5:00', 'Wadenpark', 'Zwanzig Mal auf die Zehenspitzen. Wer mag, mit geschlossenen Augen.'],
          ['6:00', 'Handgelenk Süd', 'Finger spreizen, Fäuste, Handflächen aneinander drücken.'],
          ['7:00', 'Endstation Wasserglas', 'Ein Glas trinken. Wir bitten alle Fahrgäste, jetzt erst die E-Mails zu öffnen.'],
        ], '#5a4b9a'),
        heading('Anschlüsse', '#5a4b9a'),
        bullets(['Aktive Pause online: 45 Minuten, zweimal die Woche, kostenlos', 'Yoga für Nacken & Schultern: mittwochs um 12:00 Uhr', 'Qigong in der Mittagspause: donnerstags um 12:15 Uhr, im Arbeitszeug']),
        note('Verspätung?', 'Auch zwei Halte sind eine Pause. Wiederholen Sie die Fahrt am Nachmittag, der Express verkehrt stündlich.'),
      ],
    },
    {
      language: 'en', kicker: 'Werksport · Flyer for the desk', title: 'Break express', lead: 'Seven minutes, eight stops. All aboard; the doors close automatically.', ground: '#5a4b9a', size: 12,
      content: [
        heading('Timetable', '#5a4b9a'),
        table([52, 130, '*'], ['Minute', 'Stop', 'What to do'], [
          ['0:00', 'Window Street', 'Stand up, go to a window, look into the distance for twenty seconds. The eyes depart first.'],
          ['1:00', 'Neck Circle', 'Chin to chest, ear to shoulder, slowly, no rolling. Three breaths each side.'],
          ['2:00', 'Shoulder Heights', 'Pull your shoulders up, roll them back, let them drop. Ten rounds.'],
          ['3:00', 'Ribcage Central', 'Hands behind your head, elbows wide, turn left and right on your chair.'],
          ['4:00', 'Hip Junction', 'A long lunge, let the hips sink, thirty seconds each side.'],
          ['5:00', 'Calf Park', 'Up on your toes twenty times. With eyes closed, if you dare.'],
          ['6:00', 'Wrist South', 'Spread your fingers, make fists, press your palms together.'],
          ['7:00', 'Water Glass Terminus', 'Drink a glass. Passengers are kindly asked to open their e-mails only now.'],
        ], '#5a4b9a'),
        heading('Connections', '#5a4b9a'),
        bullets(['Active break online: 45 minutes, twice a week, free of charge', 'Yoga for neck and shoulders: Wednesdays at 12:00', 'Qigong at lunchtime: Thursdays at 12:15, in work clothes']),
        note('Running late?', 'Two stops are a break, too. Take the trip again in the afternoon; the express runs every hour.'),
      ],
    },
  ],
}

const loops: [string, string, string, string, string, string, string][] = [
  ['Pumpenrunde', 'Pump loop', '2,4 km', '8 m', 'Asphalt', 'ganz', 'Tor 1, Salzstadt'],
  ['Kanalrunde', 'Canal loop', '4,2 km', '5 m', 'Kies', 'halb', 'Tor 1, Salzstadt'],
  ['Hafenrunde', 'Harbour loop', '5,0 km', '12 m', 'Pflaster', 'ganz', 'Bootshaus, Lindhafen'],
  ['Schlackenberg', 'Slag hill', '6,8 km', '96 m', 'Kies', 'halb', 'Tor Süd, Oderwerk'],
  ['Fuchsbau', 'Fox’s den', '11,0 km', '148 m', 'Waldweg', 'nein', 'Waldparkplatz, Tannbrück'],
]
const english: Record<string, string> = { Asphalt: 'asphalt', Kies: 'gravel', Pflaster: 'cobbles', Waldweg: 'forest trail', ganz: 'all', halb: 'half', nein: 'none', 'Tor 1, Salzstadt': 'Gate 1, Salzstadt', 'Bootshaus, Lindhafen': 'Boathouse, Lindhafen', 'Tor Süd, Oderwerk': 'South gate, Oderwerk', 'Waldparkplatz, Tannbrück': 'Forest car park, Tannbrück' }

const running: Pair = {
  de: 'laufrunden.pdf', en: 'running-loops.pdf',
  papers: [
    {
      language: 'de', kicker: 'Werksport · Flyer', title: 'Fünf Laufrunden\nab Werkstor', lead: 'Vermessen von Tomke Harms, zu Fuß, zweimal, bei Regen.', ground: '#3f6a24',
      content: [
        table(['*', 54, 52, 62, 46, 140], ['Runde', 'Länge', 'Anstieg', 'Untergrund', 'Licht', 'Start'], loops.map(([name, , far, up, soil, light, start]) => [{ text: name, bold: true }, far, up, soil, light, start]), '#3f6a24'),
        heading('Welche passt heute?', '#3f6a24'),
        ...steps([
          ['20', 'Minuten Zeit', 'Pumpenrunde. Geht in der Mittagspause, Dusche inklusive, wenn man zügig isst.'],
          ['40', 'Minuten und Lust auf Wasser', 'Kanalrunde hin, Treidelpfad zurück. Morgens Reiher, abends Lichter.'],
          ['60', 'Minuten und Ärger im Bauch', 'Schlackenberg. Oben ist der Ärger weg, unten meistens auch.'],
          ['90', 'Minuten und gute Schuhe', 'Fuchsbau. Ab November nur mit Stirnlampe; fünf davon verleihen wir.'],
        ], '#3f6a24'),
        note('Nicht allein?', 'Lauftreffs, Lauf-ABC und „Von 0 auf 5 Kilometer“ stehen im Portal unter Walking & Laufen. Tempo: Sie können dabei reden.'),
      ],
    },
    {
      language: 'en', kicker: 'Werksport · Flyer', title: 'Five running loops\nfrom the gate', lead: 'Measured by Tomke Harms, on foot, twice, in the rain.', ground: '#3f6a24',
      content: [
        table(['*', 54, 52, 70, 40, 140], ['Loop', 'Length', 'Climb', 'Surface', 'Lit', 'Start'], loops.map(([, name, far, up, soil, light, start]) => [{ text: name, bold: true }, far.replace(',', '.'), up, english[soil] ?? soil, english[light] ?? light, english[start] ?? start]), '#3f6a24'),
        heading('Which one today?', '#3f6a24'),
        ...steps([
          ['20', 'minutes to spare', 'Pump loop. Fits into a lunch break, shower included, if you eat briskly.'],
          ['40', 'minutes and a liking for water', 'Canal loop out, towpath back. Herons in the morning, lights in the evening.'],
          ['60', 'minutes and something on your mind', 'Slag hill. At the top it is gone; at the bottom it usually stays gone.'],
          ['90', 'minutes and good shoes', 'Fox’s den. From November with a head torch only; we lend five of them.'],
        ], '#3f6a24'),
        note('Rather not alone?', 'Running groups, drills and “From 0 to 5 kilometres” are in the portal under Walking and running. Pace: you can still talk.'),
      ],
    },
  ],
}

export const flyers: Pair[] = [winter, band, pause, running]
