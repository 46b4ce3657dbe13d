/** The server cannot start with these options; a command line should exit with `exitCode` (sysexits EX_CONFIG). */
export class ServerConfigurationError extends Error {
  readonly exitCode = 78;

  constructor(message: string) {
    super(message);
    this.name = "ServerConfigurationError";
  }
}
