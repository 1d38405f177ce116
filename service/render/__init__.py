"""Templates, the pictures of boards, and what an operator prints on them."""
