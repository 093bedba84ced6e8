/** A host as it stands in URLs and before a port: one with colons in it, as an IPv6 address has, in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
