import branding from '../../branding/branding.json' with { type: 'json' }

// As the server does in every page.
Object.assign(globalThis, { portalBranding: branding })

// Otherwise a call at the end of a test would load the transport while its environment is removed.
await import('#lib/call.ts')
