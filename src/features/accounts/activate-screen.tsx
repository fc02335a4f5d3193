import { MailedLinkQuestion } from './components/mailed-link-question.tsx'

/** Landing page of the links in activation mails and in mails that confirm a new address. */
export function ActivateScreen() {
  return <MailedLinkQuestion />
}
