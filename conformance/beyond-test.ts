/**
 * Why a documented rule can have no check, so that a reader can verify it. A rule that stands neither here nor has a
 * check is one whose check has yet to be written.
 */
export const beyondTest: Readonly<Record<string, string>> = {
  'authn.attributes.opaque':
    'it says what authentication does not do with values that it hands on; nothing of that can be seen',
  'authn.token-webhook.extra-no-secrets': 'nobody can tell from a value whether it is a secret',
  'csr.spec.expiration-seconds.ignored':
    'whatever a signer does with the wish is allowed, so that nothing could break it',
  'csr.spec.expiration-seconds.may-differ':
    'whatever a signer does with the wish is allowed, so that nothing could break it',
  'csr.spec.request.atomic': 'the field is a single value of bytes: merged as a whole or by parts comes out the same',
  'csr.custom-signer.defines': 'it is about what the author of a signer writes down, not about anything that runs',
  'endpointslice.port.app-protocol.reserved':
    'it reserves names for IANA; servers take any, and a name says not who gave it',
  'event.best-effort': 'it is a promise that is not made; who relies on it all the same shows it only by bad luck',
  'event.type.more': 'it is about versions of the API to come',
  'job.pod-failure-policy.on-pod-conditions.required':
    'the shape marks as required what servers take without, as each rule has either of two members',
  'job.status.uncounted.null':
    'only a Job from before that field existed can show it, and no server of this version makes one',
  'namespace.optional': 'it allows to use one namespace alone; nothing that a server does could break it',
  'rv.match.old-servers': 'it is about servers older than this version',
  'rv.meaning.any': 'any state is allowed, so that nothing could break it',
  'service.only-through-api': 'what is not seen on the wire cannot be shown not to happen',
  'versioning.alpha.no-promise': 'it is a promise that is not made',
  'versioning.beta.changes': 'it is about versions of the API to come',
  'versioning.beta.lifetime': 'it is about releases over months',
  'versioning.feature-states': 'it tells in which release features became stable, of which one release shows nothing',
  'versioning.json-protobuf-same': 'it is about how the two shapes may change between releases',
  'versioning.stable.stays': 'it is about releases over years',
  'webhook.author.reconcile': 'it is about what a webhook does later and elsewhere, when nobody asks it',
  'webhook.client-config.url.outside': 'an address does not tell where the server behind it runs',
};
