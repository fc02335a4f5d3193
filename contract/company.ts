/**
 * Who runs this portal. An operator changes this one file (and the logos in public/logos): names, addresses, persons, court and
 * VAT numbers appear on the legal notice, the contact page, the team page, in the footer and in mails. The company is invented.
 */
export const company = {
  /** the portal's own name, in the header and in mails */
  portalName: 'Werksport',
  name: 'Fennmark Pumpen AG',
  groupName: 'Fennmark',
  department: { de: 'Abteilung Sport und Gesundheit', en: 'Sports and Health Department' },
  street: 'Pumpenwerkstraße 1',
  zip: '38210',
  city: 'Salzstadt',
  country: { de: 'Deutschland', en: 'Germany' },
  visitorAddress: { street: 'Werkstor 4, Halle 2', zip: '38210', city: 'Salzstadt', room: 'Raum 2.17' },
  phone: '+49 5300 555 0',
  email: 'werksport@demo.example',
  privacyEmail: 'datenschutz@demo.example',
  website: 'https://example.org/',
  socialMedia: { name: 'Instagram', url: 'https://example.org/werksport' },
  officeHours: [
    { days: { de: 'Montag bis Donnerstag', en: 'Monday to Thursday' }, from: '08:00', to: '15:30' },
    { days: { de: 'Freitag', en: 'Friday' }, from: '08:00', to: '12:30' },
  ],
  responsiblePerson: 'Dr. Henrike Osterloh',
  executiveBoard: ['Jasper Winkelmann (Vorsitz)', 'Dr. Leyla Aksoy', 'Torben Riedel'],
  supervisoryBoardChair: 'Prof. Dr. Margarete Linne',
  registerCourt: 'Amtsgericht Salzstadt',
  registerNumber: 'HRB 20317',
  vatId: 'DE 999 999 999',
  dataProtectionOfficer: 'Sönke Harms',
  realization: 'Werkstatt Digital der Fennmark Service GmbH',
  /** logo files in public/logos */
  divisions: [
    { name: 'Fennmark Pumpen AG', logo: 'pumpen.svg' },
    { name: 'Fennmark Armaturen GmbH', logo: 'armaturen.svg' },
    { name: 'Fennmark Guss GmbH', logo: 'guss.svg' },
    { name: 'Fennmark Logistik GmbH', logo: 'logistik.svg' },
    { name: 'Fennmark Service GmbH', logo: 'service.svg' },
    { name: 'BKK Fennmark', logo: 'bkk.svg' },
  ],
  /** the leading insurer, whose members may take part */
  healthInsurer: 'BKK Fennmark',
  /** in the footer of every page; the legal notice states its own */
  copyrightYear: 2024,
  inprintCopyrightYear: 2023,
} as const
