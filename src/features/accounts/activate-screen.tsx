import { MailedLinkQuestion } from './components/mailed-link-question.tsx'

/** Where the links of the activation mail, and of the mail to a new address, lead. */
export function ActivateScreen() {
  return <MailedLinkQuestion />
}
