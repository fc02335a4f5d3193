import { EnglishDocument } from '#features/content/components/english-document.tsx'
import * as conditions from '#features/pages/conditions-screen.tsx'
import * as faq from '#features/pages/faq-screen.tsx'
import * as privacy from '#features/pages/privacy-screen.tsx'

// The words of a page with the document that the department has published beside it.
export const ConditionsScreen = () => (
  <conditions.ConditionsScreen english={<EnglishDocument type="Conditions_English" />} />
)
export const FaqScreen = () => <faq.FaqScreen english={<EnglishDocument type="FAQ_English" />} />
export const PrivacyScreen = () => <privacy.PrivacyScreen english={<EnglishDocument type="Privacy_Policy" />} />
