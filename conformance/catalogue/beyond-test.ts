/**
 * Why a documented rule can have no check, so that a reader can verify it. A rule that stands neither here nor has a
 * check is one whose check has yet to be written.
 */
export const beyondTest: Readonly<Record<string, string>> = {
  'authn.token-webhook.extra-no-secrets': 'nobody can tell from a value whether it is a secret',
  'component.network-proxy.tcp-udp':
    'it forwards inside the network of nodes and pods, which whoever talks to the API need not reach',
  'content.protobuf.not-aggregated':
    'requests for an aggregated API are handed on, so that what it takes is up to the server behind',
  'csr.custom-signer.defines': 'it is about what the author of a signer writes down, not about anything that runs',
  'endpointslice.port.app-protocol.reserved':
    'it reserves names for IANA; servers take any, and a name says not who gave it',
  'event.best-effort': 'it is a promise that is not made; who relies on it all the same shows it only by bad luck',
  'event.type.more': 'it is about versions of the API to come',
  'service.only-through-api': 'what is not seen on the wire cannot be shown not to happen',
  'versioning.alpha.no-promise': 'it is a promise that is not made',
  'versioning.beta.changes': 'it is about versions of the API to come',
  'versioning.beta.lifetime': 'it is about releases over months',
  'versioning.feature-states': 'it tells in which release features became stable, of which one release shows nothing',
  'versioning.stable.stays': 'it is about releases over years',
  'webhook.author.reconcile': 'it is about what a webhook does later and elsewhere, when nobody asks it',
  'webhook.client-config.url.outside': 'an address does not tell where the server behind it runs',
};
