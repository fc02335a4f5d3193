import branding from '../../branding/branding.json' with { type: 'json' }

// As the server does in every page.
Object.assign(globalThis, { portalBranding: branding })
