/** The parameters of a request that opens a connection. */
export interface ConnectParameters {
  all(name: string): readonly string[];
  flag(name: string): boolean | undefined;
}
