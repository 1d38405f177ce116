"""The pages: small blueprints that show what is and store what came in. Use cases do the rest."""
