import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Stack, Text } from '#components/layout.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { ErrorState } from '#components/state-panel.tsx'
import { useScreenData } from '#lib/resource.ts'
import { CertificateFacts } from './components/certificate-facts.tsx'
import { CertificateState, Verdict } from './components/verdict.tsx'
import { verifyCertificate } from './model.ts'
import { useCertificateKeys } from './resource.ts'

const subscribe = (onChange: () => void) => {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}
/** The fragment stays on the device: the server never sees the certificate. */
const readJws = () => window.location.hash.slice(1)

/** Verifies the certificate in the URL fragment, as its QR code opens it: the signature on the device, its state online. */
export function CertificateScreen() {
  const { t } = useTranslation('certificates')
  const jws = useSyncExternalStore(subscribe, readJws)
  useEffect(() => {
    useCertificateKeys.load()
  }, [])
  return (
    <>
      <ScreenHeader title={t('title')} lead={t(jws === '' ? 'leadEmpty' : 'lead')} />
      {jws === '' ? <Text width="narrow">{t('how')}</Text> : <Certificate jws={jws} />}
    </>
  )
}

function Certificate({ jws }: { jws: string }) {
  const { t } = useTranslation('certificates')
  const { data: keys, phase, isLoading } = useCertificateKeys()
  const request = phase === 'ready' ? `${jws} ${keys.keys.map(({ kid }) => kid).join(' ')}` : null
  const { data: result } = useScreenData(request, () => verifyCertificate(jws, keys))
  if (phase === 'failed')
    return <ErrorState title={t('noKeys')} text={t('noKeysText')} onRetry={useCertificateKeys.load} />
  // The key may be newer than the stored ones.
  if (!result || (result.verdict === 'unknownKey' && isLoading)) return <Skeleton rows={2} height={150} />
  if (result.verdict !== 'genuine') return <Verdict of={result.verdict} />
  const { claims } = result
  return (
    <Stack gap="l" width="narrow">
      <CertificateState code={claims.jti} />
      <CertificateFacts claims={claims} />
    </Stack>
  )
}
