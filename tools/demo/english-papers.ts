// The three English documents: FAQ, conditions, privacy notice.
import { bullets, type Content, heading, note, type Paper, paragraph, table } from './paper.ts'

const answers: [string, string][] = [
  ['Who can take part?', 'Employees, pensioners and apprentices of the Fennmark group, members of BKK Fennmark aged 16 and over, staff of the municipal utilities and, wherever places are free, external guests. Colleagues of Fennmark Übersee GmbH are welcome in all online courses.'],
  ['How do I register?', 'In three steps: login data, personal data, corporate affiliation. You then receive an e-mail with an activation link. Nothing arrived? You can have it sent again after a minute. Registrations that are not confirmed are deleted after two weeks.'],
  ['What does a course look like?', 'Courses run for 8 to 12 units of 45 to 90 minutes, once or twice a week. There are no lessons during the regional Easter and autumn holidays.'],
  ['How do I book?', 'Log in, open the course and press “book now”. A confirmation e-mail follows at once. If booking has not opened yet, the course shows a countdown to the second.'],
  ['The course is full. What now?', 'Join the waiting list. When a place becomes free, the first person waiting gets it automatically and is told by e-mail and under “My messages”. External guests cannot join waiting lists.'],
  ['How do I cancel?', 'Online and free of charge until the end of the fifth working day after your first lesson. After that, please write to werksport@demo.example. You can leave a waiting list at any time.'],
  ['What does it cost?', 'Every course shows its fee, any energy fee for pools and halls, and the fee for external guests, which includes a processing fee of 15.00 euros unless stated otherwise. Paid courses are binding on confirmation.'],
  ['Which courses are free?', 'Employees and pensioners may attend many courses free of charge if they attend regularly: at least two thirds of the lessons, or one third for shift workers with proof. Sick notes count from ten working days. BKK members and external guests always pay.'],
  ['What does “certified” mean?', 'The course has been tested by the central test institute. Members of BKK Fennmark can claim the fee back after the course; the certificate of attendance arrives under “My messages”.'],
  ['Who sees my data?', 'Your course instructor, and possibly plant security, receive a list with name, status and billing type. Nobody else does.'],
  ['I have forgotten my password.', 'Enter your e-mail on the login page and choose “forgot password”. A new password needs at least 8 characters with upper and lower case letters and a digit or a special character.'],
]

export const faq: Paper = {
  language: 'en', kicker: 'Werksport · Information', title: 'Frequently asked\nquestions', lead: 'Eleven answers for your first visit, and for the second.',
  content: [...answers.flatMap(([question, answer]): Content[] => [{ stack: [heading(question), paragraph(answer)], unbreakable: true }]), note('Still wondering?', 'Call us on 030 23125 100, Monday to Thursday 9:00 to 15:00 and Friday 9:00 to 12:00, or drop in at the health centre, Kesselstraße 8, room 1.04.')],
}

export const conditions: Paper = {
  language: 'en', kicker: 'Werksport · Information', title: 'Conditions of\nparticipation', lead: 'What applies when you book with us. The German version is binding.', ground: '#083a3f',
  content: [
    heading('1  Who may take part'),
    table([150, '*'], ['Group', 'What applies'], [
      ['Employees, apprentices', 'All courses. Fees are charged to the personnel number.'],
      ['Pensioners', 'All courses. Fees are charged to the personnel number or by invoice.'],
      ['Members of BKK Fennmark', 'From the age of 16; the year in which the course starts decides. Always pay; certified courses are refundable.'],
      ['Municipal utilities staff', 'All courses, by invoice.'],
      ['External guests', 'Only while places are free, never the waiting list. Pay the course fee for external guests: course fee plus 15.00 euros processing fee unless the course states another amount.'],
      ['Fennmark Übersee GmbH', 'Online courses only.'],
    ]),
    heading('2  Courses'),
    bullets(['8 to 12 units of 45 to 90 minutes, once or twice a week.', 'No lessons on public holidays or during the regional Easter and autumn holidays.', 'A course takes place once the department has confirmed it. If too few people book, the course does not take place and you pay nothing.']),
    heading('3  Booking and waiting list'),
    bullets(['Bookings open at the moment shown in the course and stay open until its last date, as long as places are free.', 'A confirmation e-mail follows each booking. Paid courses are binding on confirmation.', 'When a course is full you may join the waiting list. Places that become free go to the first person waiting, automatically.']),
    heading('4  Cancellation'),
    bullets(['Free of charge online until the end of the 5th working day after your first lesson (Monday to Friday, public holidays excluded).', 'Later cancellations by e-mail only; the fee remains due unless somebody takes over the place.', 'People on a waiting list may leave it at any time.']),
    heading('5  Fees and regular attendance'),
    bullets(['Employees and pensioners may receive free courses with regular attendance: at least 2/3 of the lessons.', 'Shift workers: at least 1/3 of the lessons, with proof of the rota.', 'Sick notes count only if they cover at least 10 working days.', 'Energy fees for pools and halls are shown in the course and added to the fee.']),
    heading('6  Certified courses'),
    paragraph('Courses with a test number are certified for prevention. Members of BKK Fennmark hand in the certificate of attendance after the course and have the fee refunded.'),
    heading('7  Health, safety, liability'),
    bullets(['Please ask your doctor if you are unsure whether a course is right for you, and tell the instructor about complaints.', 'House rules of halls and pools apply. Follow the instructor’s directions.', 'Please do not bring valuables; we are liable only for intent and gross negligence.']),
    heading('8  Participant lists'),
    paragraph('Course instructors, and where access to the works requires it plant security, receive a list with name, status and billing type. It is destroyed at the end of the course.'),
  ],
}

export const privacy: Paper = {
  language: 'en', kicker: 'Werksport · Version of August 2024', title: 'Privacy notice', lead: 'English translation of our German privacy notice. The German version prevails.', ground: '#5a4b9a',
  content: [
    heading('1  Controller', '#5a4b9a'),
    paragraph('Fennmark Pumpen AG, Werksport department, Werkstraße 12, 00210 Salzstadt. Data protection officer: datenschutz@demo.example.'),
    heading('2  What we process, and why', '#5a4b9a'),
    table([150, '*', 120], ['Data', 'Purpose', 'Legal basis'], [
      ['E-mail, password (hashed)', 'Login and account security', 'Art. 6 (1) b GDPR'],
      ['Name, form of address, year of birth', 'Booking, minimum age for BKK members', 'Art. 6 (1) b GDPR'],
      ['Status, division, personnel number, BKK number, billing type', 'Entitlement, fees, billing', 'Art. 6 (1) b GDPR'],
      ['Address and phone', 'Invoices, short-notice changes', 'Art. 6 (1) b, f GDPR'],
      ['Bookings and attendance', 'Running courses, free courses with regular attendance, certificates', 'Art. 6 (1) b GDPR'],
      ['IP address in server logs', 'Operation and defence against attacks', 'Art. 6 (1) f GDPR'],
    ], '#5a4b9a'),
    heading('3  How long we keep it', '#5a4b9a'),
    table(['*', 150], ['Data', 'Kept for'], [
      ['IP addresses in server logs', '7 days'], ['Registration that was never confirmed', '2 weeks'], ['Contact requests', 'about 6 months'], ['Account without any booking', '2 years'], ['Account of past participants without a new booking', '10 years'],
    ], '#5a4b9a'),
    heading('4  Who receives it', '#5a4b9a'),
    paragraph('Your course instructor receives a participant list with name, status and billing type; plant security may receive it where a course takes place on works premises. BKK Fennmark receives only what you hand in yourself. There is no transfer to third countries and no automated decision-making.'),
    heading('5  On your device', '#5a4b9a'),
    paragraph('The portal stores your session token and your language, and keeps the programme on your device so that it can be read offline. A technical cookie protects forms against misuse. There are no advertising or tracking cookies.'),
    heading('6  Passwords', '#5a4b9a'),
    paragraph('Passwords have at least 8 characters with upper and lower case letters, a digit or a special character. We store them only as salted hashes; nobody can read them.'),
    heading('7  Your rights', '#5a4b9a'),
    bullets(['Access, rectification, erasure and restriction (Art. 15 to 18 GDPR)', 'Data portability (Art. 20 GDPR)', 'Objection to processing based on legitimate interests (Art. 21 GDPR)', 'Complaint to a supervisory authority (Art. 77 GDPR)']),
    note('One e-mail is enough', 'Write to datenschutz@demo.example from the address of your account. We answer within one month, usually within a week.'),
  ],
}
