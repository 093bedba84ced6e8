/** What a certificate signing request asks for, as far as signers and approvers judge it. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Parts of the subject other than names and organizations. */
  readonly otherSubjectParts: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
  readonly emails: readonly string[];
  /** It asks for an authority's certificate. */
  readonly wantsAuthority: boolean;
}
