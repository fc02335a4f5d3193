import { MailedLinkQuestion } from './components/mailed-link-question.tsx'

/** Landing page for the links in activation e-mails and in e-mails that confirm a new e-mail address. */
export function ActivateScreen() {
  return <MailedLinkQuestion />
}
