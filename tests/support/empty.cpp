// Keeps a library of writers legal while no format has one.
