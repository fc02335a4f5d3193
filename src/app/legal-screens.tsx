import { EnglishDocument } from '#features/content/components/english-document.tsx'
import { pageWithEditedText } from '#features/pages/components/saved-page.tsx'
import * as conditions from '#features/pages/conditions-screen.tsx'
import * as faq from '#features/pages/faq-screen.tsx'
import * as privacy from '#features/pages/privacy-screen.tsx'

// Each page shows the department's own text if there is one, otherwise a built-in text with a link to the published
// document.
export const ConditionsScreen = pageWithEditedText('conditions', 'conditions', () => (
  <conditions.ConditionsScreen english={<EnglishDocument type="Conditions_English" />} />
))
export const FaqScreen = pageWithEditedText('faq', 'faq', () => (
  <faq.FaqScreen english={<EnglishDocument type="FAQ_English" />} />
))
export const PrivacyScreen = pageWithEditedText('privacy', 'privacy', () => (
  <privacy.PrivacyScreen english={<EnglishDocument type="Privacy_Policy" />} />
))
